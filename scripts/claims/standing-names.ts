const NAME = /[a-z_]\w*/g
const RENAMED = /\brename (?:column |constraint |value )?['"]?(\w+)['"]? to ['"]?\w+/gi
const RENAMED_OBJECT =
  /\balter (?:table|view|index|function|type|policy|sequence) (?:if exists )?(\w+)(?:\([^)]*\))?(?: on \w+)? rename to\b/gi
const DROPPED = /\bdrop (?:table|view|column|function|index|type|constraint|policy|trigger) (?:if exists )?(\w+)/gi

/** The names that stand after the migrations, in their order: a name that one renames or drops is gone, until another uses it again. */
export const standingNames = (migrations: readonly string[]): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const migration of migrations) {
    const sql = migration.replaceAll(/--.*$/gm, '')
    for (const [name] of sql.matchAll(NAME)) names.add(name)
    for (const pattern of [RENAMED, RENAMED_OBJECT, DROPPED]) for (const [, name = ''] of sql.matchAll(pattern)) names.delete(name)
  }
  return names
}
