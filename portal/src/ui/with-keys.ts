export interface Keyed<Item> {
  readonly key: string
  readonly item: Item
}

/** Each item with a unique key made of its name; repeated names are numbered. For items without an id. */
export const withKeys = <Item>(items: readonly Item[], nameOf: (item: Item) => string): readonly Keyed<Item>[] => {
  const seen = new Map<string, number>()
  return items.map((item) => {
    const name = nameOf(item)
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return { key: count === 1 ? name : `${name} (${count})`, item }
  })
}
