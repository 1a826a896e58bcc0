/** Makes the demo world in DATA_DIR, with an invitation for each username given, as an operator would before the server starts. */
import { inviteUser } from '../../server/src/areas/registration/invite-user.service.ts'
import { readConfig } from '../../server/src/config.ts'
import { seedDemoWorld } from '../../server/src/demo-world/demo-world.ts'
import { openHouse } from '../../server/src/house.ts'
import { openLog } from '../../server/src/kit/log.ts'

const house = await openHouse(readConfig(), openLog('warn'))
await seedDemoWorld(house, { progress: () => undefined })
const host = await house.store.transact({ role: 'counterfoil_system' }, (db) =>
  db
    .selectFrom('app_user')
    .innerJoin('user_customer', 'user_customer.user_id', 'app_user.id')
    .select(['app_user.reseller_id as resellerId', 'app_user.brand_id as brandId', 'user_customer.customer_id as customerId'])
    .where('app_user.username', '=', 'us')
    .executeTakeFirstOrThrow(),
)
for (const username of process.argv.slice(2))
  await inviteUser(house, {
    resellerId: host.resellerId,
    brandId: host.brandId,
    customerIds: [host.customerId],
    username,
    email: `${username}@example.com`,
    displayName: `Ada ${username}`,
    operator: 'e2e',
  })
await house.close()
