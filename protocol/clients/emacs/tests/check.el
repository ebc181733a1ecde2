;;; check.el --- Compiles, checks and installs the package  -*- lexical-binding: t; -*-
;;; Commentary:
;; emacs -Q --batch -l tests/check.el pagewire.el DIRECTORY
;;; Code:
(require 'checkdoc)
(require 'package)
(let* ((file (expand-file-name (pop command-line-args-left)))
       (directory (file-name-as-directory (pop command-line-args-left)))
       (byte-compile-error-on-warn t)
       (byte-compile-dest-file-function (lambda (_) (expand-file-name "pagewire.elc" directory)))
       (faults 0))
  (unless (byte-compile-file file)
    (setq faults (1+ faults)))
  (with-current-buffer (find-file-noselect file)
    (let ((checkdoc-create-error-function
           (lambda (text start _end &optional _unfixable)
             (setq faults (1+ faults))
             (message "checkdoc: %d: %s" (line-number-at-pos start) text)
             nil)))
      (checkdoc-current-buffer t))
    (kill-buffer))
  (setq package-user-dir (expand-file-name "elpa" directory))
  (package-initialize)
  (package-install-file file)
  (require 'pagewire)
  (unless (and (string-prefix-p package-user-dir (locate-library "pagewire"))
               (commandp 'pagewire))
    (setq faults (1+ faults))
    (message "The package is not installed as it should be."))
  (message "%d faults" faults)
  (kill-emacs (if (= faults 0) 0 1)))
;;; check.el ends here
