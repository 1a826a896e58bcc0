import { LOGIN_SETTINGS } from '../../db/server/login-settings.ts'
import { ROLES } from '../../db/roles.ts'
import type { NodeFacts } from './node-facts.queries.ts'
import type { NodeReport } from './node-reports.service.ts'
import { fault, ifAny, type Trouble, warning } from './trouble.ts'

/** Outer joins of what is on one machine with what is on several need it (docs/scaling.md). */
const MIN_POSTGRES_MAJOR = 17

/** Lets a statement hold on the node that gets it: Citus refuses some on a worker, and passes others on without their options. */
const LOCALLY = 'set citus.enable_ddl_propagation = off;'

/** A node that answered. */
interface Answer {
  readonly name: string
  readonly isCoordinator: boolean
  readonly facts: NodeFacts
  readonly report: NodeReport
}

/** The nodes that answered. */
export const answersOf = (reports: readonly NodeReport[]): Answer[] =>
  reports.flatMap((report) =>
    typeof report.facts === 'string'
      ? []
      : [{ name: report.node.name, isCoordinator: report.node.isCoordinator, facts: report.facts, report }],
  )

/**
 * What is wrong with the nodes, whether usage is distributed or is about to be.
 * @param minFreeBytes how much room a worker needs
 */
export const nodeTroubles = (reports: readonly NodeReport[], minFreeBytes: number): Trouble[] => {
  const answers = answersOf(reports)
  return [
    ...knownTroubles(reports),
    ...reports.flatMap(({ node, facts }) =>
      typeof facts === 'string'
        ? [
            fault(
              'nodes',
              `${node.name} does not answer: ${facts.replace(/\.$/, '')}.`,
              'Start it, or see that the coordinator reaches it; where it stands at another address now, have an administrator run "select citus_update_node(…)". Nothing else was asked of it.',
            ),
          ]
        : [],
    ),
    ...answers.flatMap(({ name, facts }) =>
      facts.ownsDatabase
        ? []
        : [
            fault(
              'nodes',
              `${facts.user} does not own the database on ${name}.`,
              `Have an administrator run there: ${LOCALLY} alter database "${facts.database}" owner to "${facts.user}";`,
            ),
          ],
    ),
    ...versionTroubles(answers),
    ...answers.flatMap(({ name, report: { freeBytes, node } }) =>
      node.holdsUsage && freeBytes !== null && freeBytes < minFreeBytes
        ? [fault('nodes', `The disk of ${name} has ${toGiB(freeBytes)} GiB left, and needs ${toGiB(minFreeBytes)}.`, 'Make room there.')]
        : [],
    ),
  ]
}

const toGiB = (bytes: number): string => (bytes / 2 ** 30).toFixed(1)

/** Whether Citus knows the coordinator by an address, and workers. */
const knownTroubles = (reports: readonly NodeReport[]): Trouble[] => [
  ...(reports.some(({ node }) => node.isCoordinator)
    ? []
    : [
        fault(
          'nodes',
          'Citus does not know where the coordinator is.',
          'Have an administrator run "select citus_set_coordinator_host(\'…\', 5432)".',
        ),
      ]),
  ...(reports.some(({ node }) => !node.isCoordinator)
    ? []
    : [fault('nodes', 'There is no worker yet.', 'Have an administrator run "select citus_add_node(\'…\', 5432)" for each.')]),
]

/** Whether every node has the same versions, of PostgreSQL and Citus, and new enough ones. */
const versionTroubles = (answers: readonly Answer[]): Trouble[] => {
  const versions = new Set(answers.map(({ facts }) => versionsOf(facts)))
  const older = answers.filter(({ facts }) => facts.postgres < MIN_POSTGRES_MAJOR * 10_000).map(({ name }) => name)
  const all = answers.map(({ name, facts }) => `${name} has ${versionsOf(facts)}`).join(', ')
  return [
    ...ifAny(older, () =>
      fault(
        'nodes',
        `PostgreSQL ${MIN_POSTGRES_MAJOR} or newer is needed on every node; ${older.join(', ')} is older.`,
        'Bring it to a newer version.',
      ),
    ),
    ...answers.flatMap(({ name, facts }) =>
      facts.citus === null
        ? [
            fault(
              'nodes',
              `The database on ${name} has no Citus.`,
              `Have an administrator run there, in the database ${facts.database}: create extension citus;`,
            ),
          ]
        : [],
    ),
    ...(versions.size > 1
      ? [fault('nodes', `The nodes differ in their versions: ${all}.`, 'Bring all of them to the same, of PostgreSQL and of Citus.')]
      : []),
  ]
}

const versionsOf = ({ postgres, citus }: NodeFacts): string =>
  `PostgreSQL ${Math.floor(postgres / 10_000)}.${postgres % 10_000} ${citus === null ? 'without Citus' : `with Citus ${citus}`}`

/** What keeps the roles from working on the nodes, once usage is distributed: each is one by which a worker is reached. */
export const roleTroubles = (reports: readonly NodeReport[]): Trouble[] =>
  answersOf(reports).flatMap(({ name, isCoordinator, facts, report: { shutOut } }) => {
    const named = (has: (role: NodeFacts['roles'][number]) => boolean): string[] => facts.roles.filter(has).map((role) => role.name)
    const missing = ROLES.filter((role) => facts.roles.every((known) => known.name !== role))
    const withoutLogin = named(({ canLogin }) => !canLogin)
    const refused = shutOut.filter(({ role }) => !missing.includes(role as (typeof ROLES)[number]) && !withoutLogin.includes(role))
    const notGranted = named(({ isMember }) => !isMember)
    const inherited = isCoordinator ? [] : named(({ isInherited }) => isInherited) // doctor says so of the coordinator in any case
    const grant = (names: readonly string[]): string => `grant ${names.join(', ')} to "${facts.user}" with inherit false, set true;`
    return [
      ...ifAny(missing, () =>
        fault(
          'nodes',
          `${name} has no role ${missing.join(', ')}.`,
          `Have an administrator run there: ${LOCALLY} ${missing.map((role) => `create role ${role} login;`).join(' ')} ${grant(missing)}`,
        ),
      ),
      ...ifAny(withoutLogin, () =>
        fault(
          'nodes',
          `${withoutLogin.join(', ')} may not sign in on ${name}.`,
          `Have an administrator run there: ${LOCALLY} ${withoutLogin.map((role) => `alter role ${role} login;`).join(' ')}`,
        ),
      ),
      ...ifAny(refused, () =>
        fault(
          'nodes',
          `${name} does not let ${refused.map(({ role }) => role).join(', ')} in from the coordinator: ${refused[0]?.reason ?? ''}.`,
          'Admit them in its pg_hba.conf, from the other nodes alone, and see that they have the right to connect to the database there.',
        ),
      ),
      ...ifAny(notGranted, () =>
        fault(
          'nodes',
          `${facts.user} may not take ${notGranted.join(', ')} on ${name}.`,
          `Have an administrator run there: ${LOCALLY} ${grant(notGranted)}`,
        ),
      ),
      ...ifAny(inherited, () =>
        warning(
          'nodes',
          `${facts.user} has the rights of ${inherited.join(', ')} on ${name} without taking one: a query that forgets its tenant would see rows.`,
          `Have an administrator run there: ${LOCALLY} ${grant(inherited)}`,
        ),
      ),
    ]
  })

/**
 * Which settings the connected user lacks on the workers; those on the coordinator are another matter (db/server/login-settings.ts).
 * @param isAtWork whether a command moves usage, for which the limit of statements is lifted
 */
export const settingTroubles = (reports: readonly NodeReport[], isAtWork: boolean): Trouble[] =>
  answersOf(reports).flatMap(({ name, isCoordinator, facts: { user, database, settings } }) => {
    const wrong = Object.entries(LOGIN_SETTINGS).filter(
      ([setting, value]) => settings[setting] !== value && !(isAtWork && setting === 'statement_timeout'),
    )
    if (isCoordinator || wrong.length === 0) return []
    const statements = wrong.map(([setting, value]) => `alter role "${user}" in database "${database}" set ${setting} = '${value}';`)
    return [
      warning(
        'nodes',
        `${user} does not have ${wrong.map(([setting]) => setting).join(', ')} on ${name} as Counterfoil needs them.`,
        `Have an administrator run there: ${LOCALLY} ${statements.join(' ')}`,
      ),
    ]
  })
