/** A node of the parser's tree, by its kind: `{ RangeVar: { relname: … } }`. */
export type Tree = { readonly [key: string]: unknown }

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The member of a node, as a node; undefined where it has none. */
export const child = (tree: Tree | undefined, ...path: readonly string[]): Tree | undefined =>
  path.reduce<Tree | undefined>((node, key) => {
    const value = node?.[key]
    return isTree(value) ? value : undefined
  }, tree)

/** The nodes of a member that is a list. */
export const children = (tree: Tree | undefined, key: string): readonly Tree[] => {
  const value = tree?.[key]
  return Array.isArray(value) ? value.filter(isTree) : []
}

/** The member of a node, as text. */
export const textOf = (tree: Tree | undefined, key: string): string => {
  const value = tree?.[key]
  return typeof value === 'string' ? value : ''
}

/** Every node of this kind, at any depth, the outer ones first. */
export const nodesOf = (kind: string, value: unknown): Tree[] => {
  if (Array.isArray(value)) return value.flatMap((one) => nodesOf(kind, one))
  if (!isTree(value)) return []
  const own = value[kind]
  return [...(isTree(own) ? [own] : []), ...Object.values(value).flatMap((one) => nodesOf(kind, one))]
}
