from toolaudit.conformance.live.chamber import main

main()
