import type { Command } from './command.ts'

/** Makes the demo world, unless it is there already. */
export const seedDemoCommand: Command = async (deps, io) => {
  const { seedDemoWorld } = await import('../demo/demo-world.ts') // fonts and brushes that no running server needs
  const world = await seedDemoWorld(deps, { progress: io.json ? () => undefined : io.out })
  if (io.json) io.out(JSON.stringify(world))
  else io.out(`The demo world is there: ${world.users.length} users.`)
  return 0
}
