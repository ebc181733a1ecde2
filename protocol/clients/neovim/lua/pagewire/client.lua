-- One Pagewire server for this Neovim, and the lists that it pages. Nothing here knows of buffers and windows:
-- whoever opens a list brings a view, a table of functions that are told what changes (and gets `list` put into it).
--
--   view.splice(at, removed, items)   take so many items away at that index (from 0), and put these there
--   view.place(index)                 people were at this item before
--   view.show()                       something else has changed: what loads, errors, the end
--   view.tell(sentence)               the server is gone; called once, for all lists
--
-- Items are strings that hold their JSON text: the decoder of vim.lsp.rpc refuses a surrogate without its partner, and
-- makes integers beyond 2^53 into others.

local M = {}

local major = '1'
-- In milliseconds: what does not answer for so long is no server; a place that was left alone for so long is remembered.
local patience, settled = 10000, 300

local rpc, is_ready = nil, false
-- `turn` is the number of the server: what comes late from one before it is not looked at.
local turn, opened, lists, ask = 0, 0, {}, nil

local function each_list(act)
  for _, list in ipairs(vim.tbl_values(lists)) do
    act(list)
  end
end

-- Most requests may be sent so that nothing is answered: what comes of them is told to the list in any case.
local function send(method, params, answered)
  local mine = turn
  if rpc and answered then
    rpc.request(method, params, function(error, result)
      return mine == turn and answered(error, result)
    end)
  elseif rpc then
    rpc.notify(method, params)
  end
end

local function facts(list, params)
  if params.phase then
    list.phase, list.hasMore, list.paused = params.phase, params.hasMore, params.paused
  end
  list.view.show()
end

local function splice(list, at, removed, items, ids, first)
  list.view.splice(at, removed, items)
  local rest = vim.list_slice(list.ids, at + removed + 1)
  list.ids = vim.list_extend(vim.list_extend(vim.list_slice(list.ids, 1, at), ids), rest)
  list.first = first
end

local handlers = {}

function handlers.pageAppended(list, page)
  local count = #list.ids
  local is_new = page.replaces or list.is_old or count == 0
  local at = (is_new or page.start < list.first) and 0 or count
  splice(list, at, is_new and count or 0, page.items, page.ids, at == 0 and page.start or list.first)
  list.generation, list.is_old = page.generation, false
  if is_new then
    list.errors = {}
  end
  if page.scrollTo or is_new and count > 0 then
    list.view.place(page.scrollTo and page.scrollTo.position - list.first or 0)
  end
end

handlers.pagePrepended = handlers.pageAppended
function handlers.pagesDropped(list, dropped)
  local first = dropped.edge == 'start' and dropped.to + 1 or list.first
  splice(list, dropped.from - list.first, dropped.to - dropped.from + 1, {}, {}, first)
end

function handlers.cleared(list, cleared)
  splice(list, 0, #list.ids, {}, {}, 0)
  list.generation, list.errors = cleared.generation, {}
end

function handlers.loading(list, params)
  local kind, result = params.kind, params.result
  list.loading[kind] = params.isLoading or nil
  list.trying[kind] = nil
  if result == 'loaded' or result == 'paused' then
    list.errors[kind] = nil
  elseif result == 'failed' then
    list.errors[kind] = list.errors[kind] or { message = 'The load failed.' }
  end
end

function handlers.loadFailed(list, params)
  (params.willRetry and list.trying or list.errors)[params.kind] = params.error
end

local function take(method, params)
  local list = type(params) == 'table' and lists[params.session]
  if list and handlers[method] then
    handlers[method](list, params)
    facts(list, params)
  end
end

-- Ends the server in the way of the protocol; what does not understand it is stopped.
local function leave()
  local old = rpc
  turn, rpc, is_ready = turn + 1, nil, false
  if old then
    pcall(old.request, 'shutdown', vim.empty_dict(), function() end)
    pcall(old.notify, 'exit', vim.empty_dict())
    vim.defer_fn(function()
      pcall(old.terminate or function() old.handle:kill('sigterm') end)
    end, 2000)
  end
end

-- The lists keep what they show, and their way back to it.
local function gone(sentence)
  leave()
  each_list(function(list)
    list.gone, list.is_open, list.loading, list.trying = sentence, false, {}, {}
    list.view.show()
  end)
  local _, any = next(lists)
  return any and any.view.tell(sentence)
end

local function met(error, result)
  local version = not error and result.protocolVersion or 'unknown'
  if tostring(version):match('^%d+') ~= major then
    return gone(('The server speaks version %s of the protocol, this plugin version %s: update one.'):format(version, major))
  end
  is_ready = true
  each_list(ask)
end

local function start()
  local command = vim.g.pagewire_command or vim.env.PAGEWIRE or 'pagewire'
  command = type(command) == 'table' and command or { command }
  if vim.fn.executable(command[1] or '') == 0 then
    return gone(('There is no program "%s". Put pagewire on PATH, or set g:pagewire_command.'):format(command[1] or ''))
  end
  turn = turn + 1
  local mine = turn
  local dispatchers = {
    notification = function(method, params)
      return mine == turn and take(method, params)
    end,
    on_exit = vim.schedule_wrap(function(code, signal)
      if mine == turn then
        local how = signal > 0 and 'signal ' .. signal or 'status ' .. code
        gone(('The Pagewire server has ended (%s). What it said is in the log of vim.lsp.'):format(how))
      end
    end),
  }
  local is_new = vim.fn.has('nvim-0.11') == 1
  local words = is_new and { command, dispatchers } or { command[1], vim.list_slice(command, 2), dispatchers }
  local ok, started = pcall(vim.lsp.rpc.start, unpack(words))
  if not ok or not started then
    return gone(('"%s" could not be started.'):format(command[1]))
  end
  rpc = started
  local client = { name = 'pagewire.nvim', version = '1.0.0' }
  send('initialize', { processId = vim.fn.getpid(), clientInfo = client }, met)
  vim.defer_fn(function()
    return mine == turn and not is_ready and gone(('"%s" does not answer: it is no Pagewire server.'):format(command[1]))
  end, patience)
end

-- Opens the list's session as soon as there is a server.
function ask(list)
  list.is_open, list.is_old, list.told = false, true, {}
  list.loading, list.trying, list.errors, list.refused = { initial = true }, {}, {}, nil
  list.view.show()
  if is_ready then
    local params = { session = list.name, source = list.source, itemsAs = 'text', ifExists = 'replace', resume = list.resume }
    send('open', vim.tbl_extend('force', params, list.options), function(error, result)
      list.is_open, list.refused, list.loading = not error, error and error.message, error and {} or list.loading
      facts(list, result or {})
    end)
  elseif not rpc and not list.gone then
    start()
  end
end

--- Opens a list; `options` are params of `open` beside session and source.
function M.open(source, options, view)
  opened = opened + 1
  local list = { name = tostring(opened), source = source, options = options, view = view, ids = {}, first = 0, generation = 0,
    phase = 'idle', hasMore = true, paused = false, loading = {}, trying = {}, errors = {}, told = {} }
  lists[list.name], view.list = list, list
  ask(list)
  return list
end

--- Closes a list, and with the last one the server.
function M.close(list)
  lists[list.name], list.is_open = nil, false
  send('close', { session = list.name })
  if not next(lists) then
    leave()
  end
end

--- What is visible, as indices of the first and the last item.
function M.visible(list, from, to)
  local told = { session = list.name, first = list.first + from, last = list.first + to, generation = list.generation }
  if not list.is_open or list.is_old or to < from or vim.deep_equal(told, list.told) then
    return
  end
  list.told = told
  send('visibleRange', told)
  local id = list.ids[from + 1]
  vim.defer_fn(function()
    if list.told == told and list.is_open and id ~= vim.NIL then
      send('setScrolledID', { session = list.name, id = id })
      send('state', { session = list.name, resume = true }, function(_, result)
        list.resume = result and result.resume
      end)
    end
  end, settled)
end

--- Makes the list anew, and comes back to the place.
function M.refresh(list)
  if list.gone or list.refused then
    M.retry(list, 'more')
  else
    send('refresh', { session = list.name, extent = #list.ids == 0 and 'first' or 'anchor' })
  end
end

--- Tries again what failed: to have a server, to open the source, to load on in a direction.
function M.retry(list, kind)
  local error = list.errors[kind] or {}
  if list.gone then
    each_list(function(each)
      each.gone = nil
      ask(each)
    end)
  elseif list.refused then
    ask(list)
  elseif kind == 'refresh' or error.code == 1005 then -- The file is another one: only a refresh helps.
    M.refresh(list)
  else
    send(kind == 'previous' and 'loadPrevious' or 'loadMore', { session = list.name })
  end
end

return M
