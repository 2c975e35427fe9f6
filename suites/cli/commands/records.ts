import { wholeNumber } from '../arguments.ts'
import { command, exitsWith, PORT } from './command.ts'

export const report = command(
  'report',
  'write the reports of a run again, from its record',
  `report
   report reports/out/20270901T101500-1734 --open`,
)
  .argument('[run]', 'folder of the run (default: the newest one under reports/out)')
  .option('--open', 'open report.html in the browser')
  .action(exitsWith(async (run, options) => (await import('../records/report.ts')).report(run, options)))

export const attest = command(
  'attest',
  'sign what a run found, for others to verify',
  `attest --new-key attest-key.pem
   attest --key attest-key.pem
   attest reports/out/20270901T101500-1734 --key attest-key.pem`,
  `
Exit codes:
  0    it is signed
  1    the run says nothing that is worth a signature: it violates, is incomplete, or judged a part
  2    the call is wrong
  3    it could not be written`,
)
  .argument('[run]', 'folder of the run (default: the newest one under reports/out)')
  .option('--key <file>', 'Ed25519 private key, PEM')
  .option('--new-key <file>', 'make a pair of keys, and sign nothing')
  .option('--embedded', 'sign a run on the embedded deployment, which says nothing about yours')
  .option('--to <file>', 'file to write (default: attestation.json in the folder of the run)')
  .action(exitsWith(async (run, options) => (await import('../records/attest.ts')).attest(run, options)))

export const verify = command(
  'verify',
  'check an attestation offline, and say what it proves',
  `verify attestation.json --key attest-key.pub.pem
   verify attestation.json --key attest-key.pub.pem --run reports/out/20270901T101500-1734`,
  `
Exit codes:
  0    verified
  1    not verified: another key, changed, of no run that can be, evidence missing, or not known
  2    the call is wrong`,
)
  .argument('<file>', 'the attestation')
  .requiredOption('--key <file>', 'Ed25519 public key, PEM, of whoever is said to have signed')
  .option('--run <folder>', 'folder or name of the run: its record and evidence are held against it')
  .option('--json', 'print JSON on stdout, and nothing else')
  .action(exitsWith(async (file, options) => (await import('../records/verify.ts')).verify(file, options)))

export const ui = command(
  'ui',
  'show runs over time in the browser, and run, replay, waive and examine from there, until Ctrl-C',
  `ui
   ui --port 8090 --runs reports/out --no-open`,
  `
Exit codes:
  0    it was ended, and nothing was going on
  2    the call is wrong
  3    the port is taken
  130  it was ended while a run went on, which was stopped and has cleaned up`,
)
  .option('--port <n>', 'port of the pages, loopback only; 0 takes a free one', PORT, 0)
  .option('--runs <dir>', 'folder of the runs', 'reports/out')
  .option('--waivers <file>', 'file that waivers are written into', 'waivers.yaml')
  .option('--deployment <file...>', 'definitions to choose from, beside those in this folder')
  .option('--no-open', 'print the address, and open no browser (it is never opened in CI)')
  .action(exitsWith(async options => (await import('../ui/ui.ts')).ui(options)))

export const site = command(
  'site',
  'write the runs of a folder as static pages',
  `site
   site reports/out --out public --keep 30`,
  `
Exit codes:
  0    it is written
  2    the call is wrong; nothing was written
  3    it could not be written`,
)
  .argument('[runs]', 'folder of the runs', 'reports/out')
  .option('--out <dir>', 'folder to write; one that holds a site is written anew', 'public')
  .option(
    '--keep <n>',
    'how many runs of each deployment get pages of their own, the newest; the others stay in lists, and no run is deleted',
    wholeNumber(1),
    10,
  )
  .action(exitsWith(async (runs, options) => (await import('../records/site.ts')).site(runs, options)))
