import type { ServiceItem } from '@counterfoil/contract/service-items'
import type { Service } from '@counterfoil/contract/services'
import { useState } from 'react'
import { saveFile } from '../../api/save-file.ts'
import { Button } from '../../ui/button/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useJustChanged } from '../../ui/use-just-changed.ts'
import { costCentreCsv, costCentreFileName } from './cost-centre-csv.ts'

interface DownloadCostCentresButtonProps {
  service: Service | undefined
  /** All loaded service items, whatever the search shows. */
  items: readonly ServiceItem[]
  itemLabel: string
}

/** Saves all loaded service items of a service as CSV, made in the browser; whatever the search shows. */
export const DownloadCostCentresButton = ({ service, items, itemLabel }: DownloadCostCentresButtonProps) => {
  const [saved, setSaved] = useState<Blob>()
  const wasJustSaved = useJustChanged(saved)

  const save = (): void => {
    if (service === undefined) return
    const blob = new Blob([costCentreCsv(items, itemLabel)], { type: 'text/csv;charset=utf-8' })
    saveFile({ blob, name: costCentreFileName(service.name) }, '')
    setSaved(blob)
  }

  return (
    <Button kind="quiet" disabled={service === undefined || items.length === 0} onPress={save}>
      <Icon name={wasJustSaved ? 'check' : 'download'} />
      Download
    </Button>
  )
}
