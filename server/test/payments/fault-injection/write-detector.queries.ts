import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs, QueryResult, RootOperationNode, UnknownRow } from 'kysely'

/** Notes whether a transaction has written anything. */
export class WriteWatch implements KyselyPlugin {
  hasWritten = false

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    this.hasWritten ||= (result.numAffectedRows ?? 0n) > 0n
    return result
  }
}
