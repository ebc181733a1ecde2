-- Lists of any length in a buffer, loaded as you scroll; see :help pagewire.
if vim.g.loaded_pagewire or vim.fn.has('nvim-0.7') == 0 then
  return
end
vim.g.loaded_pagewire = true

vim.api.nvim_create_user_command('Pagewire', function(command)
  require('pagewire').open(command.args, { at_end = command.bang, mods = command.mods })
end, {
  nargs = 1,
  bang = true,
  desc = 'Shows a file, or any source of Pagewire, and loads it as you scroll',
  complete = function(lead)
    return require('pagewire').complete(lead)
  end,
})

vim.api.nvim_set_hl(0, 'PagewireRow', { link = 'Comment', default = true })
vim.api.nvim_set_hl(0, 'PagewireError', { link = 'WarningMsg', default = true })
