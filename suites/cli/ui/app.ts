import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { CLAUSES } from '../../../fixtures/clauses/index.ts'
import { DefinitionError } from '../../../fixtures/deployments/definition/index.ts'
import { isProductId } from '../../../fixtures/ground/products.ts'
import { LARGEST, readFileOf } from '../../../fixtures/ground/read-file.ts'
import { PROFILES } from '../../../fixtures/ground/record.ts'
import { steadyNow } from '../../../fixtures/ground/time.ts'
import { jsonToShow, textToShow, writeText } from '../../../fixtures/output/files.ts'
import { Failure, wrongCall } from '../../../fixtures/run/failure.ts'
import { select } from '../../../fixtures/run/selection.ts'
import { findRun, type History } from '../../../reports/history/history.ts'
import { nothingRead, openRunOf, readHistory } from '../../../reports/history/read-history.ts'
import { html, type Markup } from '../../../reports/html/head.ts'
import { type FindingInFull, findingMarkdown } from '../../../reports/render/markdown.ts'
import { layout, siteScript, siteStyle } from '../../../reports/site/overview-page.ts'
import { render } from '../../../reports/site/write-site.ts'
import { linkTo, PAGES, siteOf, targetOf } from './actions.ts'
import { definitionNamed, type ProjectDefinition } from './definitions.ts'
import type { LedExamination } from './examination.ts'
import { collectionOf, examineForm, examinePage, examineParts, withCredential } from './examine-page.ts'
import { createGuard } from './guard.ts'
import { createJobs, type Job, type Jobs, type Task } from './jobs.ts'
import { jobAddress, livePage, liveParts, type Runs } from './live-page.ts'
import { uiScript, uiStyle } from './script.ts'
import { AREAS, startPage } from './start-page.ts'
import { createStreams, type Streams } from './streams.ts'
import { withWaiver } from './waive.ts'
import { changePage, waivePage } from './waive-page.ts'

/** What the pages show and start. */
interface UiPlace {
  /** The folder of the runs. */
  runs: string
  /** The file of waivers. */
  waivers: string
  /** Returns the definitions that can be chosen. */
  definitions(): readonly ProjectDefinition[]
  /** The command line of `travel-sales`. */
  command: readonly [string, ...string[]]
}

/** The server of the pages. */
export interface Ui {
  /** Starts to listen on loopback. @returns the address, with its token */
  listen(port: number): Promise<string>
  jobs: Jobs
  /** Stops running commands as Ctrl-C does, and the server. */
  stop(): Promise<void>
}

/** The most connections, the largest form in bytes, and the milliseconds in which a request must arrive. */
const MOST_CONNECTIONS = 64
const LARGEST_FORM = 32 * 1024
const ARRIVAL = 10_000

/** The milliseconds for which runs that were read are used again, and for which a page waits for reading. */
const FRESH = 2_000
const READING = 600

type Query = Readonly<Record<string, unknown>>
type Form = URLSearchParams

const runLink = (run: string): string => linkTo({ page: 'run', run })

/** Makes the server of the pages. It runs nothing from the folder of runs, and reads nothing outside of it. */
export function createUi(place: UiPlace): Ui {
  const app = Fastify({
    bodyLimit: LARGEST_FORM,
    requestTimeout: ARRIVAL,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 200 },
    // Handles addresses that cannot be decoded.
    frameworkErrors: (_error, request, reply: FastifyReply) =>
      void (guard.check(request, reply) ?? reply.code(400).send('')),
  })
  app.server.maxConnections = MOST_CONNECTIONS
  const guard = createGuard(app)
  const already = nothingRead()
  let read: { at: number; history: History } | undefined
  const history = (): History => {
    if (read === undefined || read.history.unread > 0 || steadyNow() - read.at > FRESH)
      read = { history: readHistory(place.runs, READING, already), at: steadyNow() }
    return read.history
  }
  const forget = () => {
    read = undefined
  }
  const ui: Shared = {
    ...place,
    app,
    streams: createStreams(),
    jobs: createJobs(place.command, forget),
    history,
    forget,
    examination: undefined,
    async page(request, reply, title, body, finish = text => text) {
      const site = siteOf({ history: history(), definitions: place.definitions(), path: pathOf(request) })
      return reply.type(HTML).send(finish(textToShow(layout({ title, site, trail: [], body }))))
    },
  }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  )
  app.addHook('onRequest', async (request, reply) => guard.check(request, reply))
  app.setNotFoundHandler((request, reply) =>
    ui.page(request, reply.code(404), 'Nothing here', html`<p>There is no such page, run or clause.</p>`),
  )
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const known = error instanceof Failure || error instanceof DefinitionError
    const status = known ? 400 : (error.statusCode ?? 500)
    const sentence = known || status < 500 ? error.message : `The kit itself failed: ${error.message}`
    return ui.page(request, reply.code(status), 'That did not work', html`<p>${sentence}</p>`)
  })
  addReading(ui)
  addRuns(ui)
  addWaivers(ui)
  addExamination(ui)

  return {
    jobs: ui.jobs,
    async listen(port) {
      await app.listen({ port, host: '127.0.0.1' })
      return `http://127.0.0.1:${(app.server.address() as { port: number }).port}${guard.path}`
    },
    async stop() {
      for (const job of ui.jobs.running()) job.stop()
      await Promise.all([
        ...ui.jobs.running().map(({ ended }) => ended),
        ui.examination?.over === false && ui.examination.conclude(),
      ])
      ui.streams.close()
      await app.close()
    },
  }
}

/** What the routes share. */
interface Shared extends UiPlace {
  app: FastifyInstance
  streams: Streams
  jobs: Jobs
  history(): History
  /** Makes pages read the runs again. */
  forget(): void
  /** The examination that was started last. */
  examination: LedExamination | undefined
  /** Answers with a page. `finish` fills in what may be shown although it counts as secret elsewhere. */
  page(
    request: FastifyRequest,
    reply: FastifyReply,
    title: string,
    body: Markup,
    finish?: (text: string) => string,
  ): Promise<FastifyReply>
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0]!
const HTML = 'text/html; charset=utf-8'
const textOf = (query: Query, name: string): string => (typeof query[name] === 'string' ? query[name] : '')

/** Adds the pages that a static site has too. */
function addReading({ app, definitions, history }: Shared): void {
  for (const [path, type, text] of [
    [linkTo({ page: 'style' }), 'text/css', `${siteStyle}${uiStyle}`],
    // Each script is a call; without a semicolon between them, the second would be an argument of the first.
    [linkTo({ page: 'script' }), 'text/javascript', `${siteScript};${uiScript}`],
  ] as const)
    app.get(path, (_request, reply) => reply.type(`${type}; charset=utf-8`).send(text))
  for (const name of PAGES) {
    app.get(name === 'overview' ? '/' : `/${name}`, async (request, reply) => {
      const target = targetOf(name, request.query as Query)
      const now = history()
      if (now.unread > 0) reply.header('refresh', '1')
      const site = siteOf({ history: now, definitions: definitions(), path: pathOf(request) })
      const shown = target === undefined ? undefined : await render(target, now, site)
      return shown === undefined ? reply.callNotFound() : reply.type(HTML).send(textToShow(shown))
    })
  }
}

/** Returns what pages know of runs, as they are now. */
const knownRuns = ({ history }: Pick<Shared, 'history'>): Runs => ({
  link: runLink,
  find: run => findRun(history(), run)?.run,
})

function addRuns({ app, definitions, runs, jobs, streams, page, history }: Shared): void {
  const known = knownRuns({ history })
  const begin = (reply: FastifyReply, task: Task) => reply.redirect(jobAddress(jobs.start(task)), 303)
  const jobOf = (id: string): Job => {
    const job = jobs.find(id)
    if (job === undefined) throw wrongCall('These pages did not start that run: look for it among the runs.')
    return job
  }
  app.get('/start', async (request, reply) => {
    const only = textOf(request.query as Query, 'only')
    return page(request, reply, 'Run', startPage(definitions(), jobs.all(), only))
  })
  app.post('/start', async (request, reply) => {
    const form = request.body as Form
    const { name, is } = definitionNamed(form.get('definition') ?? '', definitions())
    const profile = PROFILES.find(one => one === form.get('profile'))
    const areas = form.getAll('area').filter(area => AREAS.includes(area))
    const only = form.get('only')?.trim() || areas.join(' or ')
    if (only !== '') select(only, CLAUSES)
    return begin(reply, {
      title: `Certify ${is}${only === '' ? '' : `: ${only}`}`,
      definition: name,
      args: [
        ...['certify', `--deployment=${name}`, `--out=${runs}`],
        ...(profile === undefined ? [] : [`--profile=${profile}`]),
        ...(only === '' ? [] : [`--only=${only}`]),
      ],
    })
  })
  app.post('/replay', async (request, reply) => {
    const form = request.body as Form
    const { name } = definitionNamed(form.get('definition') ?? '', definitions())
    const { clause, at, record } = await findingIn(runs, Object.fromEntries(form))
    const wanted = `${clause.id}#${at + 1}`
    return begin(reply, {
      title: `Replay ${wanted} of ${record.run}`,
      definition: name,
      args: ['replay', wanted, `--run=${runs}/${form.get('run')}`, `--deployment=${name}`],
    })
  })
  app.get('/live', async (request, reply) => {
    const job = jobOf(textOf(request.query as Query, 'job'))
    return page(request, reply, job.title, livePage(job, liveParts(job, known)))
  })
  app.get('/live/events', async (request, reply) => {
    const job = jobOf(textOf(request.query as Query, 'job'))
    streams.open(reply, () => liveParts(job, known))
  })
  app.post('/stop', async (request, reply) => {
    const job = jobOf((request.body as Form).get('job') ?? '')
    job.stop()
    return reply.redirect(jobAddress(job), 303)
  })
  app.get('/markdown', async (request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(textToShow(findingMarkdown(await findingIn(runs, request.query as Query)))),
  )
}

/** Returns the finding that an address or a form names. @throws if there is none, or its run cannot be read */
async function findingIn(runs: string, named: Query): Promise<FindingInFull> {
  const { record, exchanges } = await openRunOf(runs, textOf(named, 'run'))
  const at = Number(textOf(named, 'at'))
  const clause = record.clauses.find(({ id }) => id === named.clause)
  const finding = clause?.findings[at]
  if (clause === undefined || finding === undefined)
    throw wrongCall(`Run ${record.run} has no such finding: look at its page again.`)
  const last = finding.exchanges.at(-1)
  const exchange = last === undefined ? undefined : (await exchanges([last])).get(last)
  return { record, clause, finding, at, exchange }
}

function addWaivers({ app, runs, waivers, page }: Shared): void {
  const file = basename(waivers)
  const textNow = (): string =>
    existsSync(waivers)
      ? readFileOf(waivers, LARGEST.small, code => wrongCall(`${file} could not be read (${code}).`))
      : ''
  app.get('/waive', async (request, reply) => {
    const { clause, finding } = await findingIn(runs, request.query as Query)
    const form = { file, clause: clause.id, message: finding.message, values: {} }
    return page(request, reply, `Waive ${clause.id}`, waivePage(form))
  })
  app.post('/waive', async (request, reply) => {
    const given = request.body as Form
    const field = (name: string) => (given.get(name) ?? '').trim()
    const before = textNow()
    const clause = field('clause')
    const stated = { reason: field('reason'), owner: field('owner'), expires: field('expires') }
    const matching = field('matching')
    const waiver = { clause, ...stated, ...(matching === '' ? {} : { matching }) }
    const change = withWaiver(before, waiver, file, new Date().toISOString().slice(0, 10))
    const seen = createHash('sha256').update(before).update(change.text).digest('base64url')
    if (field('seen') !== seen)
      return page(
        request,
        reply,
        `Waive ${clause}`,
        changePage({ file, clause, values: { ...stated, matching } }, change, seen),
      )
    await writeText(waivers, change.text)
    return page(
      request,
      reply,
      'Waived',
      html`<p><code>${file}</code> now has the entry: <code>certify --waivers ${file}</code> uses it.</p>`,
    )
  })
}

function addExamination(ui: Shared): void {
  const { app, page, streams } = ui
  const current = (): LedExamination => {
    if (ui.examination === undefined) throw wrongCall('No examination goes on: start one.')
    return ui.examination
  }
  const back = (reply: FastifyReply) => reply.redirect('/examine', 303)
  app.get('/examine', async (request, reply) => {
    const led = ui.examination
    const isShown = led !== undefined && !(led.over && textOf(request.query as Query, 'again') === '1')
    return isShown
      ? page(request, reply, 'Examination', examinePage(led, examineParts(led, knownRuns(ui))), text =>
          withCredential(text, led),
        )
      : page(request, reply, 'Examine a client', examineForm())
  })
  app.get('/examine/events', async (_request, reply) => {
    const led = current()
    streams.open(reply, () => examineParts(led, knownRuns(ui)))
  })
  app.get('/examine/collection.json', async (_request, reply) =>
    reply
      .header('content-disposition', 'attachment; filename="travel-sales.postman_collection.json"')
      .type('application/json; charset=utf-8')
      .send(withCredential(jsonToShow(collectionOf(current())), current())),
  )
  app.post('/examine/start', async (request, reply) => {
    if (ui.examination?.over === false) throw wrongCall('An examination goes on: end it first.')
    const products = (request.body as Form).getAll('product').filter(isProductId)
    if (products.length === 0) throw wrongCall('Say which products the client uses: one at least.')
    const { startExamination } = await import('./examination.ts')
    ui.examination = await startExamination(products, ui.runs)
    return back(reply)
  })
  app.post('/examine/situation', async (request, reply) => {
    const form = request.body as Form
    const [led, act] = [current(), form.get('act')]
    if (led.over) throw wrongCall('This examination is over: start another one.')
    const chosen = led.situations.find(({ situation }) => situation.id === form.get('situation'))
    if (chosen === undefined) throw wrongCall('This examination has no such situation.')
    if (act === 'begin') await led.begin(chosen.situation)
    else await led.finish(act === 'done' ? 'done' : 'cut')
    return back(reply)
  })
  app.post('/examine/end', async (_request, reply) => {
    await current().conclude()
    ui.forget()
    return back(reply)
  })
}
