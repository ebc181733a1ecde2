" Lists of any length in a buffer, loaded as you scroll; see :help pagewire.
if exists('g:loaded_pagewire') || !has('vim9script') || !has('job') || !has('patch-9.0.0110')
  finish
endif
let g:loaded_pagewire = 1

command! -nargs=1 -bang -complete=customlist,pagewire#Complete Pagewire call pagewire#Open(<q-args>, <bang>0, <q-mods>)

highlight default link PagewireRow Comment
highlight default link PagewireError WarningMsg
