/** Tells by name, after a run, which tests were not run because this machine lacks programs that they need. */
export default class NotRun {
  onTestRunEnd(modules) {
    const left = modules.flatMap(module =>
      [...module.children.allTests('skipped')].flatMap(test => {
        const { note } = test.result()
        return note === undefined ? [] : [{ name: `${module.relativeModuleId} > ${test.fullName}`, note }]
      }),
    )
    if (left.length === 0) return
    const missing = [...new Set(left.flatMap(({ note }) => note.split(' and ')))].sort().join(' and ')
    console.log(`Not run: ${left.length} tests, for which ${missing} would have to be installed:`)
    for (const { name } of left) console.log(`  ${name}`)
  }
}
