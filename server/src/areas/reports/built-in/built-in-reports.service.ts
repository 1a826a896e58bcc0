import { accountStatement } from './account-statement.service.ts'
import type { BuiltInReport } from './built-in-report.service.ts'
import { invoiceDetail } from './invoice-detail.service.ts'
import { invoiceRegister } from './invoice-register.service.ts'
import { usageByCostCentre } from './usage-by-cost-centre.service.ts'
import { usageByService } from './usage-by-service.service.ts'

/** The built-in reports (RPT-01); their ids never change. */
export const BUILT_IN_REPORTS: readonly BuiltInReport[] = [
  invoiceRegister,
  usageByService,
  usageByCostCentre,
  invoiceDetail,
  accountStatement,
]
