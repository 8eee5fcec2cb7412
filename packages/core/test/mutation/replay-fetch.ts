// For Stryker only: what fetch hands to execute() (keys, bodies, peek, release) is looked at by its replay of the tables.
import '@sluice/fetch/replay'
