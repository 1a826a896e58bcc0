/** The program needs Node 24, which comes along as a package for most systems; an older one is refused in a sentence. */
export const refuseOldNode = (): void => {
  if (Number(process.versions.node.split('.')[0]) >= 24) return
  process.stderr.write(`Counterfoil needs Node 24; this is Node ${process.versions.node}. Run npm ci, then npm start or npx counterfoil.\n`)
  process.exit(1)
}
