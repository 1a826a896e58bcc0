import { command } from './command.ts'

/** Creates the demo data unless they exist. */
export const seedDemoCommand = command({
  name: 'seed-demo',
  about: 'make the demo world, unless it is there already',
  run: async (deps, io) => {
    const { seedDemoData } = await import('../demo/demo-data.ts') // loads fonts, which a running server does not need
    const demoData = await seedDemoData(deps, { progress: io.json ? () => undefined : io.out })
    if (io.json) io.out(JSON.stringify(demoData))
    else io.out(`The demo world is there: ${demoData.users.length} users.`)
    return 0
  },
})
