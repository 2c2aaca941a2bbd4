from kagetsu_fleet.command_line import main

main()
