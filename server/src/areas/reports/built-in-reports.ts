import { accountStatement } from './account-statement.ts'
import type { BuiltInReport } from './built-in-report.ts'
import { invoiceDetail } from './invoice-detail.ts'
import { invoiceRegister } from './invoice-register.ts'
import { usageByCostCentre } from './usage-by-cost-centre.ts'
import { usageByService } from './usage-by-service.ts'

/** The reports that the product brings along (decisions.md, Answers); their ids never change. */
export const BUILT_IN_REPORTS: readonly BuiltInReport[] = [
  invoiceRegister,
  usageByService,
  usageByCostCentre,
  invoiceDetail,
  accountStatement,
]
