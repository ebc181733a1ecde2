vim9script
# One Pagewire server for this Vim, and the lists that it pages. Nothing here knows of buffers and windows:
# whoever opens a list brings a view, a dict of functions that are told what changes (and gets `list` put into it).
#
#   Splice(at, removed, items)   take so many items away at that index, and put these there
#   Place(index)                 people were at this item before
#   Show()                       something else has changed: what loads, errors, the end
#   Tell(sentence)               the server is gone; called once, for all lists
#
# Items are strings that hold their JSON text: Vim's own decoder, which reads the messages of `lsp` channels, refuses
# repeated members, cuts strings at \u0000, and clips large integers.

const major = '1'
# In milliseconds: what does not answer for so long is no server; a place that was left alone for so long is remembered.
const [patience, settled] = [10000, 300]

var job: job = null_job
# `turn` is the number of the server: what comes late from one before it is not looked at.
var [turn, isReady, ends, watch, opened] = [0, false, 0, 0, 0]
var said: list<string> = []  # The last line of its stderr.
var lists: dict<dict<any>> = {}

# Opens a list; `options` are params of `open` beside session and source.
export def Open(source: dict<any>, options: dict<any>, view: dict<any>): dict<any>
  opened += 1
  var list: dict<any> = {name: string(opened), source: source, options: options, view: view,
    ids: [], first: 0, generation: 0, phase: 'idle', hasMore: true, paused: false,
    loading: {}, trying: {}, errors: {}, gone: '', refused: '',
    isOpen: false, isOld: true, resume: '', told: [], timer: 0}
  lists[list.name] = list
  view.list = list
  Ask(list)
  return list
enddef

# Closes a list, and with the last one the server.
export def Close(list: dict<any>)
  timer_stop(list.timer)
  list.isOpen = false
  filter(lists, (name, _) => name != list.name)
  Send('close', {session: list.name})
  if empty(lists)
    Leave()
  endif
enddef

# What is visible, as indices of the first and the last item.
export def Visible(list: dict<any>, from: number, to: number)
  const told = [list.first + from, list.first + to, list.generation]
  if !list.isOpen || list.isOld || to < from || told == list.told
    return
  endif
  list.told = told
  Send('visibleRange', {session: list.name, first: told[0], last: told[1], generation: told[2]})
  const id = get(list.ids, from, null)
  timer_stop(list.timer)
  list.timer = timer_start(settled, (_) => Remember(list, id))
enddef

def Remember(list: dict<any>, id: any)
  if id != null && list.isOpen
    Send('setScrolledID', {session: list.name, id: id})
    Send('state', {session: list.name, resume: true},
      (message: dict<any>) => extend(list, {resume: get(get(message, 'result', {}), 'resume') ?? ''}))
  endif
enddef

# Makes the list anew, and comes back to the place.
export def Refresh(list: dict<any>)
  if empty(list.gone .. list.refused)
    Send('refresh', {session: list.name, extent: empty(list.ids) ? 'first' : 'anchor'})
  else
    Retry(list, 'more')
  endif
enddef

# Tries again what failed: to have a server, to open the source, to load on in a direction.
export def Retry(list: dict<any>, kind: string)
  if !empty(list.gone)
    for each in values(lists)
      each.gone = ''
      Ask(each)
    endfor
  elseif !empty(list.refused)
    list.refused = ''
    Ask(list)
  elseif kind == 'refresh' || get(list.errors, kind, {})->get('code', 0) == 1005  # The file is another one: only a refresh helps.
    Refresh(list)
  else
    Send(kind == 'previous' ? 'loadPrevious' : 'loadMore', {session: list.name})
  endif
enddef

def Start()
  const named = get(g:, 'pagewire_command', $PAGEWIRE ?? 'pagewire')
  const command: list<string> = type(named) == v:t_list ? named : [named]
  if empty(command) || !executable(command[0])
    Gone($'There is no program "{get(command, 0, "")}". Put pagewire on PATH, or set g:pagewire_command.')
    return
  endif
  turn += 1
  const mine = turn
  [ends, isReady, said] = [0, false, []]
  job = job_start(command, {mode: 'lsp', err_mode: 'nl',
    out_cb: (_, message) => Take(message, mine), err_cb: (_, line) => filter(insert(said, line), (at, _) => at == 0),
    close_cb: (_) => Ended(mine), exit_cb: (_, _) => Ended(mine)})
  watch = timer_start(patience, (_) => Gone($'"{command[0]}" does not answer: it is no Pagewire server.'))
  Send('initialize', {processId: getpid(), clientInfo: {name: 'pagewire.vim', version: '1.0.0'}}, Met)
enddef

def Met(message: dict<any>)
  timer_stop(watch)
  const version = get(get(message, 'result', {}), 'protocolVersion', 'unknown')
  isReady = matchstr(string(version), '\d\+') == major
  if !isReady
    Gone($'The server speaks version {version} of the protocol, this plugin version {major}: update one of them.')
  endif
  for list in isReady ? values(lists) : []
    Ask(list)
  endfor
enddef

# The end of the output and that of the process come in any order; with both, everything has been read.
def Ended(mine: number)
  ends += mine == turn ? 1 : 0
  if ends == 2 && mine == turn
    const info = job_info(job)
    const how = empty(info.termsig) ? $'status {info.exitval}' : $'signal {info.termsig}'
    Gone($'The Pagewire server has ended ({how}).' .. (empty(said) ? '' : $' It said: {said[0]}'))
  endif
enddef

# The end of its input is the end of a server; what does not see it is stopped.
def Leave()
  timer_stop(watch)
  if job != null_job && job_status(job) == 'run'
    const old = job
    ch_close_in(old)
    timer_start(2000, (_) => job_stop(old))
  endif
  turn += 1
  [job, isReady] = [null_job, false]
enddef

# The lists keep what they show, and their way back to it.
def Gone(sentence: string)
  Leave()
  for list in values(lists)
    timer_stop(list.timer)
    extend(list, {gone: sentence, isOpen: false, loading: {}, trying: {}})
    list.view.Show()
  endfor
  if !empty(lists)
    values(lists)[0].view.Tell(sentence)
  endif
enddef

# Opens the list's session as soon as there is a server.
def Ask(list: dict<any>)
  extend(list, {isOpen: false, isOld: true, told: [], loading: {initial: true}, trying: {}, errors: {}})
  list.view.Show()
  const place = empty(list.resume) ? {} : {resume: list.resume}
  if isReady
    Send('open', {session: list.name, source: list.source, itemsAs: 'text', ifExists: 'replace'}->extend(place)
      ->extend(list.options), (message: dict<any>) => Opened(list, message))
  elseif job == null_job && empty(list.gone)
    Start()
  endif
enddef

def Opened(list: dict<any>, message: dict<any>)
  if has_key(message, 'error')
    extend(list, {refused: message.error.message, loading: {}})
  endif
  list.isOpen = empty(list.refused)
  Facts(list, get(message, 'result', {}))
enddef

# Most requests may be sent so that nothing is answered: what comes of them is told to the list in any case.
def Send(method: string, params: dict<any>, Answered: func = null_function)
  const mine = turn
  const options = Answered == null_function ? {} : {callback: (_, message) => mine == turn ? Answered(message) : 0}
  if job != null_job && ch_status(job) == 'open'
    ch_sendexpr(job, {method: method, params: params}, options)
  endif
enddef

def Take(message: dict<any>, mine: number)
  const method = get(message, 'method', '')
  const params = get(message, 'params', {})
  const list = type(params) == v:t_dict ? get(lists, get(params, 'session', ''), {}) : {}
  if mine == turn && has_key(message, 'id') && !empty(method)
    # ch_sendexpr() refuses ids that are strings.
    const body = json_encode({jsonrpc: '2.0', id: message.id, error: {code: -32601, message: 'There is no such method.'}})
    ch_sendraw(job, $"Content-Length: {strlen(body)}\r\n\r\n{body}")
  elseif mine == turn && !empty(list) && has_key(handlers, method)
    handlers[method](list, params)
    Facts(list, params)
  endif
enddef

def Facts(list: dict<any>, params: dict<any>)
  extend(list, filter(copy(params), (name, _) => index(['phase', 'hasMore', 'paused'], name) >= 0))
  list.view.Show()
enddef

def Splice(list: dict<any>, at: number, removed: number, items: list<any>, ids: list<any>, first: number)
  list.view.Splice(at, removed, items)
  list.ids = (at == 0 ? [] : list.ids[: at - 1]) + ids + list.ids[at + removed :]
  list.first = first
enddef

def Page(list: dict<any>, page: dict<any>)
  const count = len(list.ids)
  const isNew = page.replaces || list.isOld || count == 0
  Splice(list, isNew || page.start < list.first ? 0 : count, isNew ? count : 0, page.items, page.ids,
    isNew ? page.start : min([list.first, page.start]))
  extend(list, {generation: page.generation, isOld: false, errors: isNew ? {} : list.errors})
  if isNew && count > 0 || has_key(page, 'scrollTo')
    list.view.Place(get(page, 'scrollTo', {position: list.first}).position - list.first)
  endif
enddef

def Drop(list: dict<any>, dropped: dict<any>)
  Splice(list, dropped.from - list.first, dropped.to - dropped.from + 1, [], [],
    dropped.edge == 'start' ? dropped.to + 1 : list.first)
enddef

def Clear(list: dict<any>, cleared: dict<any>)
  Splice(list, 0, len(list.ids), [], [], 0)
  extend(list, {generation: cleared.generation, errors: {}})
enddef

def Loading(list: dict<any>, params: dict<any>)
  const result = get(params, 'result', '')
  for part in [list.loading, list.trying] + (result =~ 'loaded\|paused' ? [list.errors] : [])
    filter(part, (kind, _) => kind != params.kind)
  endfor
  extend(list.loading, params.isLoading ? {[params.kind]: true} : {})
  if result == 'failed' && !has_key(list.errors, params.kind)
    list.errors[params.kind] = {message: 'The load failed.'}
  endif
enddef

def Failed(list: dict<any>, params: dict<any>)
  extend(params.willRetry ? list.trying : list.errors, {[params.kind]: params.error})
enddef

const handlers = {loading: Loading, pageAppended: Page, pagePrepended: Page, pagesDropped: Drop, cleared: Clear,
  loadFailed: Failed}
