import { command } from './command.ts'

/** Creates the demo world unless it exists. */
export const seedDemoCommand = command({
  name: 'seed-demo',
  about: 'make the demo world, unless it is there already',
  run: async (deps, io) => {
    const { seedDemoWorld } = await import('../demo/demo-world.ts') // loads fonts, which a running server does not need
    const world = await seedDemoWorld(deps, { progress: io.json ? () => undefined : io.out })
    if (io.json) io.out(JSON.stringify(world))
    else io.out(`The demo world is there: ${world.users.length} users.`)
    return 0
  },
})
