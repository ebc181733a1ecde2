#!/usr/bin/env bash
# Prints the first pages of a file: first-pages.sh FILE [PAGES]. The server is a coprocess; printf makes the frames.
export LC_ALL=C left=${2:-2} && trap '' PIPE && type "${PAGEWIRE:=pagewire}" >/dev/null || exit 1 # lengths are in bytes
coproc server { "$PAGEWIRE" 2>&5; exec >&-; sleep 0.2; } 5>&2 2>/dev/null && exec 3<&"${server[0]}" 4>&"${server[1]}"
frame() { printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1" >&4; } 2>/dev/null
ask() { frame '{"jsonrpc":"2.0","id":1,"method":"'"$1"'","params":{"session":"s"'"$2"'}}'; }
path=${1//\\/\\\\} && ask open ',"source":{"type":"file","format":"lines","path":"'"${path//\"/\\\"}"'"}'
while read -r _ length && read -r && read -rN "${length%?}" body; do
  [[ $body =~ '"error":{'.*'"message":"'(([^\"\\]|\\.)*) ]] && printf -- "${BASH_REMATCH[1]//%/%%}\n" >&2 && exit 1
  grep -oE '"text":"([^"\\]|\\.)*"' <<<"$body" | while read -r text; do text=${text//%/%%} && printf -- "${text:8:-1}\n"; done
  [[ $body != *'"isLoading":false'* ]] || { [[ $body == *'"hasMore":true'* ]] && ((--left)) && ask loadMore; } || exit 0
done <&3
echo "The server has ended." >&2 && exit 1
