;;; pagewire.el --- Lists of any length, loaded as you scroll  -*- lexical-binding: t; -*-

;; Author: The Pagewire maintainers
;; Version: 1.0.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: files, tools, convenience
;; URL: https://pagewire.example/

;;; Commentary:

;; Shows what a Pagewire server pages in a buffer: a file of any size, a log
;; from its end backwards, a table of a database, an API, the output of a
;; program.  The first screen is there at once, and the rest comes as you
;; scroll.  `M-x pagewire' asks for the source; with a prefix argument a file
;; is opened at its end, and followed.
;;
;; The first part of this file talks to the server, and knows of no buffers;
;; the second part is the buffer.

;;; Code:

(require 'cl-lib)
(require 'json)
(require 'jsonrpc)
(require 'map)
(require 'seq)
(require 'subr-x)

(defgroup pagewire nil
  "Lists of any length, loaded as you scroll."
  :group 'tools)

(defcustom pagewire-command nil
  "The server: a program, or a list of a program and its arguments.
Nil means what the variable PAGEWIRE of the environment says, else
the program \"pagewire\"."
  :type '(choice (const :tag "PAGEWIRE, or pagewire" nil) file (repeat string)))


;;;; The server, and the lists that it pages

;; Items are strings that hold their JSON text: the decoder of jsonrpc.el
;; refuses a NUL, a surrogate without its partner, integers beyond 64 bits.

(cl-defstruct (pagewire-list (:conc-name pagewire--) (:copier nil))
  "A list that the server pages.
VIEW is a property list of functions that are told what changes:
:splice (AT REMOVED ITEMS), take so many items away at that index
and put these there; :place (INDEX), people were at this item
before; :show (), something else has changed; :tell (SENTENCE), the
server is gone, called once for all lists."
  name source options view ids (first 0) (generation 0) (phase "idle")
  (has-more t) is-paused loading trying errors gone refused is-open
  (is-old t) resume told timer)

(defvar pagewire--lists nil "The lists that are open.")
(defvar pagewire--opened 0 "How many lists have been opened.")
(defvar pagewire--connection nil "The connection to the server, or nil.")
(defvar pagewire--process nil "The process of the server.")
(defvar pagewire--is-ready nil "Whether the server has said who it is.")

(defun pagewire--send (method params)
  "Send METHOD with PARAMS so that nothing is answered.
What comes of it is told to the list in any case."
  (when (and pagewire--is-ready (process-live-p pagewire--process))
    (jsonrpc-notify pagewire--connection method params)))

(defun pagewire--request (method params answered &optional failed)
  "Request METHOD with PARAMS; call ANSWERED with the result.
Call FAILED, where it is given, with the sentence of an error."
  (when-let ((connection pagewire--connection))
    (let ((on-time (lambda (act argument)
                     (when (and act (eq connection pagewire--connection) (process-live-p pagewire--process))
                       (funcall act argument)))))
      (jsonrpc-async-request
       connection method params
       :success-fn (apply-partially on-time answered)
       :error-fn (lambda (error) (funcall on-time failed (plist-get error :message)))
       :timeout-fn (lambda () (funcall on-time #'pagewire--server-gone "The server does not answer."))))))

(defun pagewire--tell (list what &rest arguments)
  "Call the function WHAT of the view of LIST with ARGUMENTS."
  (apply (plist-get (pagewire--view list) what) arguments))

(defun pagewire--facts (list params)
  "Take from PARAMS how LIST is, and tell its view."
  (when (plist-member params :phase)
    (setf (pagewire--phase list) (plist-get params :phase)
          (pagewire--has-more list) (eq (plist-get params :hasMore) t)
          (pagewire--is-paused list) (eq (plist-get params :paused) t)))
  (pagewire--tell list :show))

(defun pagewire--splice (list at removed items ids first)
  "Put ITEMS with IDS in place of so many items, REMOVED, at index AT of LIST.
FIRST is the position of the first item then."
  (pagewire--tell list :splice at removed items)
  (let ((old (pagewire--ids list)))
    (setf (pagewire--ids list) (append (seq-take old at) ids (nthcdr (+ at removed) old))
          (pagewire--first list) first)))

(defun pagewire--take-page (list page)
  "Put PAGE in its place in LIST."
  (pcase-let* (((map :start :items :ids :generation :replaces :scrollTo) page)
               (count (length (pagewire--ids list)))
               (is-new (or (eq replaces t) (pagewire--is-old list) (= count 0)))
               (at (if (or is-new (< start (pagewire--first list))) 0 count)))
    (pagewire--splice list at (if is-new count 0) (append items nil) (append ids nil)
                      (if (= at 0) start (pagewire--first list)))
    (setf (pagewire--generation list) generation (pagewire--is-old list) nil)
    (when is-new
      (setf (pagewire--errors list) nil))
    (when (or scrollTo (and is-new (> count 0)))
      (pagewire--tell list :place (if scrollTo (- (plist-get scrollTo :position) (pagewire--first list)) 0)))))

(defun pagewire--take-loading (list params)
  "Take from PARAMS which load of LIST began or ended, and how."
  (pcase-let* (((map :kind :isLoading :result) params)
               (kind (intern kind)))
    (setf (alist-get kind (pagewire--loading list) nil t) (eq isLoading t)
          (alist-get kind (pagewire--trying list) nil t) nil)
    (cond ((member result '("loaded" "paused"))
           (setf (alist-get kind (pagewire--errors list) nil t) nil))
          ((and (equal result "failed") (not (alist-get kind (pagewire--errors list))))
           (setf (alist-get kind (pagewire--errors list)) '(:message "The load failed."))))))

(defun pagewire--take (_connection method params)
  "Take the notification METHOD with PARAMS from the server."
  (when-let ((list (seq-find (lambda (each) (equal (pagewire--name each) (plist-get params :session)))
                             pagewire--lists)))
    (pcase method
      ((or 'pageAppended 'pagePrepended) (pagewire--take-page list params))
      ('pagesDropped
       (pcase-let (((map :edge :from :to) params) (first (pagewire--first list)))
         (pagewire--splice list (- from first) (1+ (- to from)) nil nil (if (equal edge "start") (1+ to) first))))
      ('cleared
       (pagewire--splice list 0 (length (pagewire--ids list)) nil nil 0)
       (setf (pagewire--generation list) (plist-get params :generation) (pagewire--errors list) nil))
      ('loading (pagewire--take-loading list params))
      ('loadFailed
       (pcase-let (((map :kind :error :willRetry) params))
         (if (eq willRetry t)
             (setf (alist-get (intern kind) (pagewire--trying list)) error)
           (setf (alist-get (intern kind) (pagewire--errors list)) error)))))
    (pagewire--facts list params)))

(defun pagewire--refuse (_connection method _params)
  "Answer that there is no such METHOD."
  (jsonrpc-error :code -32601 :message (format "There is no method %s." method)))

(defun pagewire--leave ()
  "Let the server end, by the end of its input; stop what does not see that."
  (when (process-live-p pagewire--process)
    (process-send-eof pagewire--process)
    (run-with-timer 2 nil #'delete-process pagewire--process))
  (setq pagewire--connection nil pagewire--process nil pagewire--is-ready nil))

(defun pagewire--server-gone (sentence)
  "Say SENTENCE for all lists, which keep what they show, and their place."
  (pagewire--leave)
  (dolist (list pagewire--lists)
    (setf (pagewire--gone list) sentence (pagewire--is-open list) nil
          (pagewire--loading list) nil (pagewire--trying list) nil)
    (pagewire--tell list :show))
  (when pagewire--lists
    (pagewire--tell (car pagewire--lists) :tell sentence)))

(defun pagewire--ended (connection)
  "Say for all lists that the server of CONNECTION has ended."
  (when (eq connection pagewire--connection)
    (let ((status (process-exit-status pagewire--process))
          (said (with-current-buffer (jsonrpc-stderr-buffer connection)
                  (string-trim (buffer-string)))))
      (pagewire--server-gone
       (format "The Pagewire server has ended (%s %d).%s"
               (if (eq (process-status pagewire--process) 'signal) "signal" "status") status
               (if (string-empty-p said) "" (concat "  It said: " (car (last (split-string said "\n"))))))))))

(defun pagewire--start ()
  "Start a server, and open the lists once it has said who it is."
  (let* ((named (or pagewire-command (getenv "PAGEWIRE") "pagewire"))
         (command (if (listp named) named (list named))))
    (if (not (executable-find (car command)))
        (pagewire--server-gone
         (format "There is no program \"%s\".  Put pagewire on PATH, or set `pagewire-command'." (car command)))
      (setq pagewire--connection
            (make-instance
             'jsonrpc-process-connection
             :name "pagewire" :events-buffer-scrollback-size 0
             :process (lambda ()
                        (setq pagewire--process
                              (make-process :name "pagewire" :command command :connection-type 'pipe
                                            :coding 'utf-8-emacs-unix :noquery t
                                            :stderr (get-buffer-create "*pagewire stderr*"))))
             :notification-dispatcher #'pagewire--take
             :request-dispatcher #'pagewire--refuse
             :on-shutdown #'pagewire--ended))
      (pagewire--request :initialize
                         `(:processId ,(emacs-pid) :clientInfo (:name "pagewire.el" :version "1.0.0"))
                         #'pagewire--met #'pagewire--server-gone))))

(defun pagewire--met (result)
  "Take RESULT, the answer to the first request, and open the lists."
  (let ((version (format "%s" (plist-get result :protocolVersion))))
    (if (equal (car (split-string version "\\.")) "1")
        (progn (setq pagewire--is-ready t)
               (mapc #'pagewire--open pagewire--lists))
      (pagewire--server-gone
       (format "The server speaks version %s of the protocol, this package version 1: update one." version)))))

(defun pagewire--open (list)
  "Open the session of LIST as soon as there is a server."
  (setf (pagewire--is-open list) nil (pagewire--is-old list) t (pagewire--told list) nil
        (pagewire--loading list) (list (cons 'initial t)) (pagewire--trying list) nil
        (pagewire--refused list) nil (pagewire--errors list) nil)
  (pagewire--tell list :show)
  (cond (pagewire--is-ready
         (pagewire--request
          :open
          `(,@(pagewire--options list) :session ,(pagewire--name list) :source ,(pagewire--source list)
            :itemsAs "text" :ifExists "replace"
            ,@(when (pagewire--resume list) `(:resume ,(pagewire--resume list))))
          (lambda (state)
            (setf (pagewire--is-open list) t)
            (pagewire--facts list state))
          (lambda (sentence)
            (setf (pagewire--refused list) sentence (pagewire--loading list) nil)
            (pagewire--tell list :show))))
        ((not (or pagewire--connection (pagewire--gone list)))
         (pagewire--start))))

(defun pagewire-list-open (list)
  "Open LIST, which has a source, options and a view.
The source is what `json-serialize' takes, the options are a
property list of params of the protocol's `open'."
  (setf (pagewire--name list) (number-to-string (cl-incf pagewire--opened)))
  (pagewire--open (car (push list pagewire--lists))))

(defun pagewire-list-close (list)
  "Close LIST, and with the last one the server."
  (setq pagewire--lists (delq list pagewire--lists))
  (setf (pagewire--is-open list) nil)
  (pagewire--send :close `(:session ,(pagewire--name list)))
  (unless pagewire--lists
    (pagewire--leave)))

(defun pagewire-list-visible (list from to)
  "Tell the server that the items FROM to TO of LIST are visible."
  (let ((told `(:session ,(pagewire--name list) :first ,(+ (pagewire--first list) from)
                :last ,(+ (pagewire--first list) to) :generation ,(pagewire--generation list))))
    (when (and (pagewire--is-open list) (not (pagewire--is-old list)) (<= from to)
               (not (equal told (pagewire--told list))))
      (setf (pagewire--told list) told)
      (pagewire--send :visibleRange told)
      (when (pagewire--timer list)
        (cancel-timer (pagewire--timer list)))
      ;; A place that is left alone for a moment is worth being remembered.
      (setf (pagewire--timer list) (run-with-timer 0.3 nil #'pagewire--remember
                                                   list (nth from (pagewire--ids list)))))))

(defun pagewire--remember (list id)
  "Remember ID as the place in LIST, for refreshes and for another server."
  (when (and id (pagewire--is-open list))
    (pagewire--send :setScrolledID `(:session ,(pagewire--name list) :id ,id))
    (pagewire--request :state `(:session ,(pagewire--name list) :resume t)
                       (lambda (state)
                         (setf (pagewire--resume list) (plist-get state :resume))))))

(defun pagewire-list-refresh (list)
  "Make LIST anew, and come back to the place."
  (if (or (pagewire--gone list) (pagewire--refused list))
      (pagewire-list-retry list 'more)
    (pagewire--send :refresh `(:session ,(pagewire--name list)
                               :extent ,(if (pagewire--ids list) "anchor" "first")))))

(defun pagewire-list-retry (list kind)
  "Try again what failed with LIST: the server, the source, or a load of KIND."
  (cond ((pagewire--gone list)
         (dolist (each pagewire--lists)
           (setf (pagewire--gone each) nil))
         (mapc #'pagewire--open pagewire--lists))
        ((pagewire--refused list) (pagewire--open list))
        ;; With this error the file is another one, and only a refresh helps.
        ((or (eq kind 'refresh)
             (eql (plist-get (alist-get kind (pagewire--errors list)) :code) 1005))
         (pagewire-list-refresh list))
        (t (pagewire--send (if (eq kind 'previous) :loadPrevious :loadMore)
                           `(:session ,(pagewire--name list))))))


;;;; The buffer

(defconst pagewire--longest 10000
  "Characters that are shown of an item; more would only make Emacs slow.")

(defvar-local pagewire--list nil "The list that the buffer shows.")
(defvar-local pagewire--start-row "" "What the row before the items says.")
(defvar-local pagewire--end-row "" "What the row after the items says.")
(defvar-local pagewire--count 0 "How many items the buffer holds.")
(defvar-local pagewire--at-end nil "Whether the first page is shown from its end.")
(defvar-local pagewire--report-timer nil "The timer that tells what is visible.")

;;; What is said

(defun pagewire--plain (text)
  "Make TEXT one line; no other control character needs to be changed."
  (replace-regexp-in-string "[\n\r\t]+" " " text))

(defun pagewire--row (list kind)
  "What there is to say about a load of KIND in LIST, or nil."
  (let ((trying (alist-get kind (pagewire--trying list)))
        (error (alist-get kind (pagewire--errors list))))
    (cond ((alist-get kind (pagewire--loading list))
           (if trying (format "Loading... (%s)" (pagewire--plain (plist-get trying :message))) "Loading..."))
          (error (concat "RET tries again: " (pagewire--plain (plist-get error :message)))))))

(defun pagewire--start-row-of (list)
  "The row before the items of LIST; empty where there is none."
  (or (and (pagewire--ids list) (or (pagewire--row list 'refresh) (pagewire--row list 'previous))) ""))

(defun pagewire--end-row-of (list)
  "The row after the items of LIST."
  (let ((is-empty (null (pagewire--ids list))))
    (cond ((pagewire--gone list) (concat "RET starts it again: " (pagewire--plain (pagewire--gone list))))
          ((pagewire--refused list) (concat "RET tries again: " (pagewire--plain (pagewire--refused list))))
          ((pagewire--row list 'initial))
          ((pagewire--row list (if is-empty 'refresh 'more)))
          ((pagewire--is-paused list) "RET goes on: some pages brought nothing new.")
          ((not is-empty) (if (pagewire--has-more list) "" "End"))
          ((equal (pagewire--phase list) "empty") "No items")
          ((and (equal (pagewire--phase list) "idle") (pagewire--is-open list)) "RET loads the list.")
          (t ""))))

(defun pagewire--line-text (item)
  "The text of ITEM where it is a line of a file and nothing else, or nil."
  (when (and (string-match "\\`{\"offset\":[0-9]+,\"text\":\"" item)
             (not (string-search "\"text\":" item (match-end 0))))
    (let ((line (condition-case nil
                    (json-parse-string item :object-type 'plist)
                  ;; Slower, but it knows all escapes.
                  (error (ignore-errors (let ((json-object-type 'plist)) (json-read-from-string item)))))))
      (when (cl-loop for (name value) on line by #'cddr
                     always (or (eq name :text) (numberp value) (booleanp value) (keywordp value)))
        (concat (string-replace "\n" "\0" (plist-get line :text))
                (and (plist-member line :truncated) "..."))))))

(defun pagewire--line (item)
  "The text of ITEM where it is a line of a file, else its JSON as it stands."
  (let* (;; A server that does not know `itemsAs' sends the items themselves.
         (item (if (stringp item) item (json-encode item)))
         (text (or (pagewire--line-text item) (pagewire--plain item))))
    (if (> (length text) pagewire--longest)
        (concat (substring text 0 pagewire--longest) "...")
      text)))

;;; How windows keep their places

(defun pagewire--head ()
  "Lines before the first item."
  (if (string-empty-p pagewire--start-row) 0 1))

(defun pagewire--index (position)
  "The index of the item at POSITION; -1 is the row before them."
  (- (line-number-at-pos position) (pagewire--head) 1))

(defun pagewire--position (index)
  "The start of the line of the item at INDEX, or of the line nearest to it."
  (save-excursion
    (goto-char (point-min))
    (forward-line (max 0 (+ index (pagewire--head))))
    (line-beginning-position)))

(defun pagewire--restore (window top index column)
  "Let WINDOW begin with the item at TOP, its point at that at INDEX and COLUMN."
  (set-window-start window (pagewire--position top))
  (set-window-point window (save-excursion
                             (goto-char (pagewire--position index))
                             (move-to-column column)
                             (point))))

(defun pagewire--place-of (window)
  "The place of WINDOW: the index at its top, that of its point, its column."
  (let ((point (window-point window)))
    (list (pagewire--index (window-start window)) (pagewire--index point)
          (save-excursion (goto-char point) (current-column)))))

(defun pagewire--windows ()
  "The windows that show this buffer."
  (get-buffer-window-list nil nil t))

(defun pagewire--edit (change move)
  "Call CHANGE, and keep in every window what is there to be read.
MOVE is a function from the index of an item before to that after;
without it all items are new, and only the row of point is kept."
  (let ((places (mapcar (lambda (window)
                          (cons window (cons (= (window-start window) (point-min)) (pagewire--place-of window))))
                        (pagewire--windows)))
        (inhibit-read-only t))
    (funcall change)
    (pcase-dolist (`(,window ,is-first ,top ,index ,column) places)
      (if move
          (pagewire--restore window
                             ;; Who is at the very top sees what appears there, unless it is items.
                             (if (and is-first (= (funcall move 0) 0)) -1 (funcall move top))
                             (funcall move index) column)
        (pagewire--restore window -1 (- index top 1) column)))))

(defun pagewire--buffer-splice (at removed items)
  "Put lines for ITEMS in place of so many, REMOVED, at index AT."
  (let* ((added (length items))
         (is-appended (= at pagewire--count))
         (is-replaced (and (= at 0) (= removed pagewire--count)))
         ;; What a file gained by itself is followed by who stands at its end.
         (is-following (and is-appended (= removed 0)
                            (if (> pagewire--count 0)
                                (null (pagewire--loading pagewire--list))
                              pagewire--at-end)))
         (standing (and is-following
                        (seq-filter (lambda (window) (>= (pagewire--index (window-point window)) at))
                                    (pagewire--windows)))))
    (pagewire--edit
     (lambda ()
       (save-excursion
         (goto-char (pagewire--position at))
         (delete-region (point) (pagewire--position (+ at removed)))
         (dolist (item items)
           (insert (pagewire--line item) "\n")))
       (setq pagewire--count (+ pagewire--count (- added removed))))
     (unless (and is-replaced (> removed 0))
       (lambda (index)
         (cond ((or is-appended (and (< index at) (or (>= index 0) (> at 0)))) index)
               ((< index 0) (max (1- added) -1))
               (t (max at (+ index (- added removed))))))))
    (dolist (window standing)
      (set-window-point window (point-max))
      (set-window-start window (pagewire--position (- (+ pagewire--count 1) (window-body-height window)))))))

(defun pagewire--buffer-place (index)
  "Bring the item at INDEX to the top of the windows, and their points along."
  (dolist (window (pagewire--windows))
    (pcase-let ((`(,top ,at ,column) (pagewire--place-of window)))
      (pagewire--restore window index (max 0 (+ index (- at top))) column))))

(defun pagewire--show ()
  "Bring the rows up to date."
  (let ((start-row (pagewire--start-row-of pagewire--list))
        (end-row (pagewire--end-row-of pagewire--list)))
    (unless (equal start-row pagewire--start-row)
      (pagewire--edit
       (lambda ()
         (save-excursion
           (goto-char (point-min))
           (delete-region (point) (progn (forward-line (pagewire--head)) (point)))
           (setq pagewire--start-row start-row)
           (unless (string-empty-p start-row)
             (insert (propertize start-row 'face (pagewire--face start-row)) "\n"))))
       #'identity))
    (unless (equal end-row pagewire--end-row)
      (setq pagewire--end-row end-row)
      (pagewire--edit
       (lambda ()
         (save-excursion
           (delete-region (goto-char (pagewire--position pagewire--count)) (point-max))
           (insert (propertize end-row 'face (pagewire--face end-row)))))
       #'identity))
    (pagewire--report-soon)))

(defun pagewire--face (row)
  "The face of ROW."
  (if (string-prefix-p "RET" row) 'warning 'shadow))

(defun pagewire--report-soon (&rest _)
  "Tell what is visible as soon as Emacs has drawn it."
  (unless pagewire--report-timer
    (let ((buffer (current-buffer)))
      (setq pagewire--report-timer
            (run-with-timer 0 nil (lambda ()
                                    (when (buffer-live-p buffer)
                                      (with-current-buffer buffer
                                        (setq pagewire--report-timer nil)
                                        (pagewire--report)))))))))

(defun pagewire--report ()
  "Tell what is visible, in whatever windows there are."
  (when-let ((windows (pagewire--windows)))
    (let ((tops (mapcar (lambda (window) (pagewire--index (window-start window))) windows)))
      (pagewire-list-visible
       pagewire--list
       (max 0 (apply #'min tops))
       ;; A line is a row, since long ones are cut off at the edge.
       (min (1- pagewire--count)
            (apply #'max (cl-mapcar (lambda (top window) (+ top (window-body-height window) -1)) tops windows)))))))

;;; The mode

(defvar pagewire-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (define-key map "r" #'pagewire-refresh)
    (define-key map "g" #'pagewire-refresh)
    (define-key map (kbd "RET") #'pagewire-retry)
    (define-key map "n" #'next-line)
    (define-key map "p" #'previous-line)
    (define-key map "q" #'pagewire-quit)
    map)
  "The keys of `pagewire-mode'.")

(define-derived-mode pagewire-mode special-mode "Pagewire"
  "The mode of buffers that show a list, and load it as you scroll.

\\{pagewire-mode-map}"
  (buffer-disable-undo)
  (setq truncate-lines t
        bidi-paragraph-direction 'left-to-right)
  (setq-local bidi-inhibit-bpa t)
  (setq-local revert-buffer-function (lambda (&rest _) (pagewire-refresh)))
  (add-hook 'window-scroll-functions #'pagewire--report-soon nil t)
  (add-hook 'window-configuration-change-hook #'pagewire--report-soon nil t)
  (add-hook 'kill-buffer-hook #'pagewire--close nil t))

(defun pagewire--close ()
  "Close the list of this buffer."
  (when pagewire--list
    (pagewire-list-close pagewire--list)))

(defun pagewire-refresh ()
  "Load the list of this buffer anew, and stay at the place."
  (interactive nil pagewire-mode)
  (pagewire-list-refresh pagewire--list))

(defun pagewire-retry ()
  "Try again what failed according to the row at point."
  (interactive nil pagewire-mode)
  ;; What was said last is over.
  (message nil)
  (let ((index (pagewire--index (point))))
    (cond ((< index 0)
           (pagewire-list-retry pagewire--list
                                (if (alist-get 'refresh (pagewire--errors pagewire--list)) 'refresh 'previous)))
          ((or (>= index pagewire--count) (not (pagewire--is-open pagewire--list)))
           (pagewire-list-retry pagewire--list 'more)))))

(defun pagewire-quit ()
  "Close the list of this buffer."
  (interactive nil pagewire-mode)
  (quit-window t))

;;; The command

(defun pagewire--source-of (argument at-end)
  "The source that ARGUMENT names: a path, a URL, or a JSON object.
With AT-END a file is read from its end, and followed."
  (let ((source (cond ((string-match-p "\\`[ \t]*{" argument)
                       (json-parse-string argument :null-object nil :false-object :json-false))
                      ((string-match-p "\\`https?://" argument)
                       (map-into `(("type" . "http") ("url" . ,argument)) '(hash-table :test equal)))
                      (t (map-into `(("type" . "file") ("path" . ,argument)) '(hash-table :test equal))))))
    ;; The server may have been started in another directory.
    (when (stringp (gethash "path" source))
      (puthash "path" (expand-file-name (gethash "path" source)) source))
    (when at-end
      (puthash "from" "end" source)
      (puthash "follow" t source))
    source))

(defun pagewire--read-source ()
  "Ask for a source, with the names of files completed."
  (minibuffer-with-setup-hook
      (lambda ()
        ;; A source may hold blanks, which would complete else.
        (use-local-map (make-composed-keymap
                        (let ((map (make-sparse-keymap)))
                          (define-key map " " #'self-insert-command)
                          (define-key map "?" #'self-insert-command)
                          map)
                        (current-local-map))))
    (completing-read "File, URL or source (JSON): " #'completion-file-name-table)))

;;;###autoload
(defun pagewire (source &optional at-end)
  "Show SOURCE in a buffer, and load it as you scroll.
SOURCE is the name of a file, a URL, or a source as a JSON object,
such as {\"type\":\"sqlite\",\"path\":\"shop.db\",\"table\":\"orders\"}.
With AT-END, interactively a prefix argument, show the end of a file
and what is added to it from now on; scroll up to read backwards."
  (interactive (list (pagewire--read-source) current-prefix-arg))
  (let* ((object (condition-case nil
                     (pagewire--source-of source at-end)
                   (json-error (user-error "This is no source: %s" source))))
         (path (or (gethash "path" object) (gethash "url" object) (gethash "type" object)))
         (buffer (generate-new-buffer
                  (format "*pagewire: %s*" (if (stringp path) (file-name-nondirectory path) "")))))
    (pop-to-buffer-same-window buffer)
    (pagewire-mode)
    (setq pagewire--at-end (and at-end t))
    (let ((in-buffer (lambda (act)
                       (lambda (&rest arguments)
                         (when (buffer-live-p buffer)
                           (with-current-buffer buffer
                             (apply act arguments)))))))
      (setq pagewire--list
            (make-pagewire-list
             :source object
             :options (list :pageSize 500 :maxItems 5000 :prefetchThreshold (* 2 (frame-height)))
             :view (list :splice (funcall in-buffer #'pagewire--buffer-splice)
                         :place (funcall in-buffer #'pagewire--buffer-place)
                         :show (funcall in-buffer #'pagewire--show)
                         :tell (lambda (sentence) (message "Pagewire: %s" sentence))))))
    (pagewire-list-open pagewire--list)))

(provide 'pagewire)
;;; pagewire.el ends here
