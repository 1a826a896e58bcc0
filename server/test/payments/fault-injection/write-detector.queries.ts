import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs, QueryResult, RootOperationNode, UnknownRow } from 'kysely'

/** Detects whether a transaction has written anything. */
export class WriteDetector implements KyselyPlugin {
  hasWritten = false

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    this.hasWritten ||= (result.numAffectedRows ?? 0n) > 0n
    return result
  }
}
