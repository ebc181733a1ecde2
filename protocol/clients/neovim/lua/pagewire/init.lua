-- Buffers that show a list: one line an item, a row before them where there is something to say, and one after them.
local client = require('pagewire.client')
local api = vim.api

local M = {}

-- Bytes that are shown of a longer item; more would only make Neovim slow.
local longest = 10000
-- The buffer holds some pages. Those further away the server drops, and loads again when somebody comes near.
local page_size, max_items = 500, 5000

local opened = 0
local views = {}
local space = api.nvim_create_namespace('pagewire')

-- What is said

-- One line: Neovim shows other control characters as what they are, and does not obey them.
local function plain(text)
  return (tostring(text):gsub('[%z\1-\31]+', ' '))
end

local function row_of(list, kind)
  local trying, error = list.trying[kind], list.errors[kind]
  if list.loading[kind] then
    return trying and ('Loading... (%s)'):format(plain(trying.message)) or 'Loading...'
  end
  return error and '<CR> tries again: ' .. plain(error.message) or nil
end

local function start_row_of(list)
  return #list.ids > 0 and (row_of(list, 'refresh') or row_of(list, 'previous')) or ''
end

local function end_row_of(list)
  local is_empty = #list.ids == 0
  if list.gone then
    return '<CR> starts it again: ' .. plain(list.gone)
  elseif list.refused then
    return '<CR> tries again: ' .. plain(list.refused)
  end
  local row = row_of(list, 'initial') or row_of(list, is_empty and 'refresh' or 'more')
  if row then
    return row
  elseif list.paused then
    return '<CR> goes on: some pages brought nothing new.'
  elseif is_empty then
    return list.phase == 'empty' and 'No items' or list.phase == 'idle' and list.is_open and '<CR> loads the list.' or ''
  end
  return list.hasMore and '' or 'End'
end

-- The text of a line, where the item is nothing else.
local function text_of_line(item)
  local ok, line = pcall(vim.json.decode, item)
  if not ok then
    return
  end
  for name, value in pairs(line) do
    if name ~= 'text' and type(value) ~= 'number' and type(value) ~= 'boolean' then
      return
    end
  end
  -- A line feed inside of a line is shown as a NUL is.
  return type(line.text) == 'string' and line.text:gsub('\n', '\0') .. (line.truncated and '...' or '') or nil
end

-- The text of a line of a file; of anything else its JSON, as it stands.
local function line_of(item)
  -- A server that does not know `itemsAs` sends the items themselves.
  item = type(item) == 'string' and item or vim.json.encode(item)
  local is_line = item:find('^{"offset":%d+,"text":"') and not item:find('"text":.*"text":')
  local text = is_line and text_of_line(item) or plain(item)
  if #text <= longest then
    return text
  end
  local cut = longest
  while text:byte(cut + 1) >= 0x80 and text:byte(cut + 1) < 0xC0 do
    cut = cut - 1
  end
  return text:sub(1, cut) .. '...'
end

-- The buffer

-- Lines before the first item.
local function head_of(view)
  return view.start_row == '' and 0 or 1
end

local function set_lines(view, from, to, lines)
  vim.bo[view.buffer].modifiable = true
  api.nvim_buf_set_lines(view.buffer, from, to, true, lines)
  vim.bo[view.buffer].modifiable = false
end

local function windows_of(view)
  return vim.fn.win_findbuf(view.buffer)
end

local function state_of(window)
  return api.nvim_win_call(window, vim.fn.winsaveview)
end

local function restore(window, state)
  api.nvim_win_call(window, function()
    vim.fn.winrestview(state)
  end)
end

-- Changes lines so that every window goes on showing what it shows; `move` says what becomes of an item's index.
-- Without it all items are new, and only the row of the cursor is kept.
local function edit(view, change, move)
  local head = head_of(view)
  local states = {}
  for _, window in ipairs(windows_of(view)) do
    states[window] = state_of(window)
  end
  change()
  for window, state in pairs(states) do
    if not move then
      state.topline, state.lnum = 1, state.lnum - state.topline + 1
    else
      -- Who is at the very top sees what appears there, unless it is items.
      local is_top = state.topline == 1 and move(0) == 0
      state.topline = is_top and 1 or math.max(1, move(state.topline - head - 1) + head_of(view) + 1)
      state.lnum = math.max(1, move(state.lnum - head - 1) + head_of(view) + 1)
    end
    restore(window, state)
  end
end

-- Tells what is visible, in whatever windows there are.
local function report(view)
  local first, last = math.huge, -1
  for _, window in ipairs(windows_of(view)) do
    first = math.min(first, vim.fn.line('w0', window) - head_of(view) - 1)
    last = math.max(last, vim.fn.line('w$', window) - head_of(view) - 1)
  end
  client.visible(view.list, math.max(first, 0), math.min(last, view.count - 1))
end

-- Rows are marked beside the text, so that no item can look like one by what it says.
local function mark(view, id, line, text, is_error)
  local options = { id = id, end_col = #text, hl_group = is_error and 'PagewireError' or 'PagewireRow' }
  api.nvim_buf_set_extmark(view.buffer, space, line, 0, options)
end

local function splice(view, at, removed, items)
  local lines = vim.tbl_map(line_of, items)
  local is_appended, is_replaced = at == view.count, at == 0 and removed == view.count and removed > 0
  -- What a file gained by itself is followed by who stands at its end.
  local is_following = is_appended and removed == 0
  if view.count > 0 then
    is_following = is_following and not next(view.list.loading)
  else
    is_following = is_following and view.at_end
  end
  local standing = vim.tbl_filter(function(window)
    return is_following and vim.fn.line('.', window) - head_of(view) >= at
  end, windows_of(view))
  edit(view, function()
    set_lines(view, head_of(view) + at, head_of(view) + at + removed, lines)
    view.count = view.count + #lines - removed
  end, not is_replaced and function(index)
    if is_appended or index < at and (index >= 0 or at > 0) then
      return index
    end
    return index < 0 and math.max(#lines - 1, -1) or math.max(at, index + #lines - removed)
  end)
  for _, window in ipairs(standing) do
    api.nvim_win_call(window, function()
      vim.cmd('normal! Gzb')
    end)
  end
end

-- Brings an item to where the top of the window is, and the cursor along.
local function place(view, index)
  for _, window in ipairs(windows_of(view)) do
    local state = state_of(window)
    local top = index + head_of(view) + 1
    state.lnum, state.topline = math.max(1, top + state.lnum - state.topline), top
    restore(window, state)
  end
end

local function show(view)
  local list = view.list
  local start_row, end_row = start_row_of(list), end_row_of(list)
  local function stay(index)
    return index
  end
  if start_row ~= view.start_row then
    edit(view, function()
      set_lines(view, 0, head_of(view), start_row == '' and {} or { start_row })
      view.start_row = start_row
      if start_row == '' then
        api.nvim_buf_del_extmark(view.buffer, space, 1)
      else
        mark(view, 1, 0, start_row, next(list.errors) ~= nil)
      end
    end, stay)
  end
  if end_row ~= view.end_row then
    view.end_row = end_row
    edit(view, function()
      local line = head_of(view) + view.count
      set_lines(view, line, line + 1, { end_row })
      mark(view, 2, line, end_row, not next(list.loading) and end_row:find('<CR>', 1, true))
    end, stay)
  end
  report(view)
end

-- The command

local function tell(sentence)
  -- A longer one would have to be answered before anything else is shown; the row in the buffer has all of it.
  vim.notify(('Pagewire: ' .. sentence):sub(1, vim.v.echospace), vim.log.levels.WARN)
end

-- A path, a URL, or a source as a JSON object; nil where it is none.
local function source_of(argument, at_end)
  local source
  if argument:find('^%s*{') then
    local ok, decoded = pcall(vim.json.decode, argument)
    source = ok and decoded or nil
  elseif argument:find('^https?://') then
    source = { type = 'http', url = argument }
  else
    source = { type = 'file', path = argument:gsub('\\([ \\])', '%1') }
  end
  if source and type(source.path) == 'string' then
    -- The server may have been started in another directory.
    source.path = vim.fn.fnamemodify(source.path, ':p')
  end
  return source and at_end and vim.tbl_extend('force', source, { from = 'end', follow = true }) or source
end

-- Tries again what the row under the cursor says has failed.
local function enter(view)
  local line = vim.fn.line('.')
  -- What was said last is over.
  vim.cmd("echo ''")
  if line <= head_of(view) then
    client.retry(view.list, view.list.errors.refresh and 'refresh' or 'previous')
  elseif line == vim.fn.line('$') or not view.list.is_open then
    client.retry(view.list, 'more')
  end
end

local function closed(view)
  views[view.buffer] = nil
  client.close(view.list)
  -- Its name and its settings would be left, and an empty buffer to come back to.
  vim.schedule(function()
    pcall(api.nvim_buf_delete, view.buffer, { force = true })
  end)
end

local function set_up(view)
  local buffer = view.buffer
  for name, value in pairs({ bufhidden = 'hide', swapfile = false, undolevels = -1, modeline = false, modifiable = false }) do
    vim.bo[buffer][name] = value
  end
  vim.bo[buffer].filetype = 'pagewire'
  -- A cursor that keeps its distance from the edges would move the view when items come in before it.
  vim.cmd('setlocal nowrap nolist nospell nofoldenable nonumber norelativenumber scrolloff=0')
  local function map(key, what, act)
    vim.keymap.set('n', key, act, { buffer = buffer, nowait = true, desc = what })
  end
  map('r', 'Loads the list anew', function() client.refresh(view.list) end)
  map('<CR>', 'Tries again', function() enter(view) end)
  map('q', 'Closes the list', '<Cmd>bwipeout<CR>')
  local group = api.nvim_create_augroup('Pagewire', { clear = false })
  local function on(events, act)
    api.nvim_create_autocmd(events, { group = group, buffer = buffer, callback = function() act(view) end })
  end
  on('BufUnload', closed)
  on({ 'CursorMoved', 'BufWinEnter' }, report)
  api.nvim_clear_autocmds({ group = group, event = { 'WinScrolled', 'VimResized' } })
  api.nvim_create_autocmd({ 'WinScrolled', 'VimResized' }, { group = group, callback = function()
    for _, each in pairs(views) do
      report(each)
    end
  end })
end

--- Opens a source: with `at_end` a file at its end, which is followed; `mods` are `vertical`, `tab` and the like.
function M.open(argument, options)
  options = options or {}
  local source = source_of(argument, options.at_end)
  if not source then
    return tell('This is no source: ' .. argument)
  end
  opened = opened + 1
  local name = source.path or source.url or source.type
  name = type(name) == 'string' and vim.fn.fnamemodify(name, ':t') or ''
  local buffer = vim.fn.bufadd(('pagewire://%d/%s'):format(opened, name))
  -- Without a type Neovim would look for a file of that name.
  vim.bo[buffer].buftype = 'nofile'
  local mods = options.mods or ''
  vim.cmd((mods == '' and 'hide buffer ' or mods .. ' sbuffer ') .. buffer)
  local view = { buffer = buffer, count = 0, start_row = '', end_row = '', at_end = options.at_end, tell = tell }
  for key, act in pairs({ splice = splice, place = place, show = show }) do
    view[key] = function(...)
      if api.nvim_buf_is_loaded(buffer) then
        act(view, ...)
      end
    end
  end
  views[buffer] = view
  local settings = { pageSize = page_size, maxItems = max_items, prefetchThreshold = 2 * vim.o.lines }
  set_up(view)
  client.open(source, vim.tbl_extend('force', settings, vim.g.pagewire_options or {}), view)
end

--- The names of files that begin so.
function M.complete(lead)
  local names = vim.fn.getcompletion((lead:gsub('\\([ \\])', '%1')), 'file')
  return vim.tbl_map(function(name)
    return vim.fn.escape(name, ' \\')
  end, names)
end

return M
