import { toCsv } from '@counterfoil/contract/kit/csv'
import { toFileName } from '@counterfoil/contract/kit/file-name'
import type { ServiceItem } from '@counterfoil/contract/service-items'

/** The text of a CSV file with the service items, their descriptions and cost centres (CC-03). */
export const costCentreCsv = (items: readonly ServiceItem[], serviceItemLabel: string): string =>
  toCsv(
    [
      { label: serviceItemLabel, cell: ({ serviceItem }) => serviceItem },
      { label: 'Description', cell: ({ description }) => description },
      { label: 'Cost Centre', cell: ({ costCentre }) => costCentre },
    ],
    items,
  )

/** `Cost_Centre_<service>.csv` */
export const costCentreFileName = (serviceName: string): string => `${toFileName(`Cost_Centre_${serviceName}`)}.csv`
