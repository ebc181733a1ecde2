#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

exit(Bench.run(arguments: Array(CommandLine.arguments.dropFirst())))
