vim9script
# Buffers that show a list: one line an item, a row before them where there is something to say, and one after them.
import autoload 'pagewire/client.vim'

# What is shown of a longer item; more would only make Vim slow.
const longest = 10000
# The buffer holds some pages. Those further away the server drops, and loads again when somebody comes near.
const pageSize = 500
const maxItems = 5000

var opened = 0
var views: dict<dict<any>> = {}

# :Pagewire SOURCE; with `atEnd` a file is opened at its end, and followed. `mods` are :vertical, :tab and the like.
export def Open(argument: string, atEnd: bool, mods = '')
  var source: dict<any>
  try
    source = Source(argument, atEnd)
  catch
    Tell('This is no source: ' .. argument)
    return
  endtry
  opened += 1
  const name = get(source, 'path', source->get('url', source->get('type', '')))
  const buffer = bufadd($'pagewire://{opened}/{type(name) == v:t_string ? fnamemodify(name, ":t") : ""}')
  # Without a type Vim would look for a file of that name.
  setbufvar(buffer, '&buftype', 'nofile')
  execute empty(mods) ? 'hide buffer' : $'{mods} sbuffer' buffer
  setlocal bufhidden=hide noswapfile undolevels=-1 nomodeline nomodifiable filetype=pagewire
  # A cursor that keeps its distance from the edges would move the view when items come in before it.
  setlocal nowrap nolist nospell nofoldenable nonumber norelativenumber scrolloff=0
  for type in ['PagewireRow', 'PagewireError']
    prop_type_add(type, {bufnr: buffer, highlight: type})
  endfor
  nnoremap <buffer> <silent> <nowait> r <ScriptCmd>Refresh()<CR>
  nnoremap <buffer> <silent> <nowait> <CR> <ScriptCmd>Enter()<CR>
  nnoremap <buffer> <silent> <nowait> q <Cmd>bwipeout<CR>
  augroup Pagewire
    execute $'autocmd BufUnload <buffer={buffer}> ++once Closed({buffer})'
    execute $'autocmd CursorMoved,BufWinEnter <buffer={buffer}> Report({buffer})'
    autocmd! WinScrolled,VimResized * ReportAll()
  augroup END
  var view: dict<any> = {buffer: buffer, count: 0, startRow: '', endRow: '', atEnd: atEnd}
  views[buffer] = view
  extend(view, {Splice: function(Splice, [view]), Place: function(Place, [view]), Show: function(Show, [view]),
    Tell: Tell})
  var options = {pageSize: pageSize, maxItems: maxItems, prefetchThreshold: 2 * &lines}
  client.Open(source, extend(options, get(g:, 'pagewire_options', {})), view)
enddef

# A path, a URL, or a source as a JSON object.
def Source(argument: string, atEnd: bool): dict<any>
  var source: dict<any>
  if argument =~ '^\s*{'
    source = json_decode(argument)
  elseif argument =~ '^https\?://'
    source = {type: 'http', url: argument}
  else
    source = {type: 'file', path: substitute(argument, '\\\ze[ \\]', '', 'g')}
  endif
  if type(get(source, 'path')) == v:t_string
    # The server may have been started in another directory.
    source.path = fnamemodify(source.path, ':p')
  endif
  return atEnd ? extend(source, {from: 'end', follow: true}) : source
enddef

# The names of files that begin so.
export def Complete(lead: string, _: string, _: number): list<string>
  return getcompletion(substitute(lead, '\\\ze[ \\]', '', 'g'), 'file')->map((_, name) => escape(name, ' \'))
enddef

def Tell(sentence: string)
  const text = $'Pagewire: {sentence}'
  silent echomsg text
  # A longer one would have to be answered before anything else is shown.
  echohl WarningMsg
  echo strcharpart(text, 0, v:echospace)
  echohl None
enddef

def Refresh()
  client.Refresh(views[bufnr()].list)
enddef

# Tries again what the row under the cursor says has failed.
def Enter()
  const view = views[bufnr()]
  const errors = view.list.errors
  # What was said last is over.
  echo ''
  if line('.') <= Head(view)
    client.Retry(view.list, has_key(errors, 'refresh') ? 'refresh' : 'previous')
  elseif line('.') == line('$') || !view.list.isOpen
    client.Retry(view.list, 'more')
  endif
enddef

def Closed(buffer: number)
  const view = views->remove(string(buffer))
  client.Close(view.list)
  # Its name and its settings would be left, and an empty buffer to come back to.
  timer_start(0, (_) => execute($'silent! bwipeout! {buffer}'))
enddef

# Tells what is visible, in whatever windows there are.
def Report(buffer: number)
  const view = views[buffer]
  const windows = win_findbuf(buffer)
  const tops = mapnew(windows, (_, id) => line('w0', id) - Head(view) - 1)
  const bottoms = mapnew(windows, (_, id) => line('w$', id) - Head(view) - 1)
  if !empty(windows)
    client.Visible(view.list, max([0, min(tops)]), min([view.count - 1, max(bottoms)]))
  endif
enddef

def ReportAll()
  for view in values(views)
    Report(view.buffer)
  endfor
enddef

# The buffer

# Lines before the first item.
def Head(view: dict<any>): number
  return empty(view.startRow) ? 0 : 1
enddef

# Changes lines so that every window goes on showing what it shows; `Move` says what becomes of an item's index.
# Without it all items are new, and only the row of the cursor is kept.
def Edit(view: dict<any>, Change: func(), Move: func = null_function)
  const head = Head(view)
  const windows = win_findbuf(view.buffer)->mapnew((_, id) => ({id: id, top: line('w0', id), cursor: getcurpos(id)}))
  setbufvar(view.buffer, '&modifiable', true)
  Change()
  setbufvar(view.buffer, '&modifiable', false)
  for window in windows
    if Move == null_function
      Restore(window.id, 1, window.cursor[1] - window.top + 1, window.cursor)
      continue
    endif
    # Who is at the very top sees what appears there, unless it is items.
    const top = window.top == 1 && Move(0) == 0 ? 1 : Move(window.top - head - 1) + Head(view) + 1
    const line = Move(window.cursor[1] - head - 1) + Head(view) + 1
    Restore(window.id, max([1, top]), max([1, line]), window.cursor)
  endfor
enddef

def Restore(window: number, top: number, line: number, cursor: list<number>)
  const view = {topline: top, lnum: line, col: cursor[2] - 1, curswant: cursor[4] - 1}
  win_execute(window, $'call winrestview({string(view)})')
enddef

def Splice(view: dict<any>, at: number, removed: number, items: list<any>)
  const lines = mapnew(items, (_, item) => Line(item))
  const isAppended = at == view.count
  const isReplaced = at == 0 && removed == view.count && removed > 0
  # What a file gained by itself is followed by who stands at its end.
  const isFollowing = isAppended && removed == 0 && (view.count == 0 ? view.atEnd : empty(view.list.loading))
  const standing = isFollowing ? win_findbuf(view.buffer)->filter((_, id) => line('.', id) - Head(view) >= at) : []
  Edit(view, () => {
    if removed > 0
      deletebufline(view.buffer, Head(view) + at + 1, Head(view) + at + removed)
    endif
    appendbufline(view.buffer, Head(view) + at, lines)
    view.count += len(lines) - removed
  }, isReplaced ? null_function : (index: number): number => {
    if isAppended || index < at && (index >= 0 || at > 0)
      return index
    endif
    return index < 0 ? max([len(lines) - 1, -1]) : max([at, index + len(lines) - removed])
  })
  for id in standing
    win_execute(id, 'normal! Gzb')
  endfor
enddef

# Brings an item to where the top of the window is, and the cursor along.
def Place(view: dict<any>, index: number)
  for id in win_findbuf(view.buffer)
    const cursor = getcurpos(id)
    const top = index + Head(view) + 1
    Restore(id, top, max([1, top + cursor[1] - line('w0', id)]), cursor)
  endfor
enddef

def Show(view: dict<any>)
  const [startRow, endRow] = [StartRow(view.list), EndRow(view.list)]
  if startRow != view.startRow
    Edit(view, () => {
      if !empty(view.startRow)
        deletebufline(view.buffer, 1)
      endif
      view.startRow = startRow
      if !empty(startRow)
        appendbufline(view.buffer, 0, startRow)
        Mark(view, 1, !empty(view.list.errors))
      endif
    }, (index: number): number => index)
  endif
  if endRow != view.endRow
    view.endRow = endRow
    Edit(view, () => {
      setbufline(view.buffer, '$', endRow)
      Mark(view, Head(view) + view.count + 1, empty(view.list.loading) && endRow =~ '<CR>')
    }, (index: number): number => index)
  endif
  Report(view.buffer)
enddef

# Rows are marked by properties, which no item can have, whatever it says.
def Mark(view: dict<any>, line: number, isError: bool)
  prop_clear(line, line, {bufnr: view.buffer})
  prop_add(line, 1, {bufnr: view.buffer, end_lnum: line, end_col: 1000, type: isError ? 'PagewireError' : 'PagewireRow'})
enddef

# What is said

def StartRow(list: dict<any>): string
  return empty(list.ids) ? '' : Row(list, 'refresh') ?? Row(list, 'previous')
enddef

def EndRow(list: dict<any>): string
  if !empty(list.gone)
    return $'<CR> starts it again: {Plain(list.gone)}'
  elseif !empty(list.refused)
    return $'<CR> tries again: {Plain(list.refused)}'
  endif
  const row = Row(list, 'initial') ?? Row(list, empty(list.ids) ? 'refresh' : 'more')
  if !empty(row)
    return row
  elseif list.paused
    return '<CR> goes on: some pages brought nothing new.'
  elseif empty(list.ids)
    return list.phase == 'empty' ? 'No items' : list.phase == 'idle' && list.isOpen ? '<CR> loads the list.' : ''
  endif
  return list.hasMore ? '' : 'End'
enddef

def Row(list: dict<any>, kind: string): string
  if has_key(list.loading, kind)
    return has_key(list.trying, kind) ? $'Loading... ({Plain(list.trying[kind].message)})' : 'Loading...'
  endif
  return has_key(list.errors, kind) ? $'<CR> tries again: {Plain(list.errors[kind].message)}' : ''
enddef

# One line: Vim shows other control characters as what they are, and does not obey them.
def Plain(text: string): string
  return substitute(text, '[\x01-\x1f]\+', ' ', 'g')
enddef

# The text of a line of a file; of anything else its JSON, as it stands.
def Line(value: any): string
  # A server that does not know `itemsAs` sends the items themselves.
  const item = type(value) == v:t_string ? value : json_encode(value)
  var text = Plain(item)
  if item =~ '^{"offset":\d\+,"text":"'
    try
      # Vim keeps a NUL in a line as a line feed.
      const line = json_decode(substitute(item, '\\\\\|\\u0000', (m) => m[0] == '\\' ? m[0] : '\n', 'g'))
      if indexof(keys(line), (_, key) => type(line[key]) == v:t_string && key != 'text') < 0
        text = line.text .. (has_key(line, 'truncated') ? '...' : '')
      endif
    catch /^Vim\%((\S\+)\)\?:E/
      # Not a line of a file, then.
    endtry
  endif
  return strchars(text) > longest ? strcharpart(text, 0, longest) .. '...' : text
enddef
