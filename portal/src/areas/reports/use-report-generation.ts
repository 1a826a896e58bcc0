import type { Parameters } from '@counterfoil/contract/kit/http/parameters'
import type { Report } from '@counterfoil/contract/reports'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { saveFile } from '../../api/save-file.ts'
import { reportFile, type ReportStage } from './reports.data.ts'

/** Has a report made and saved. Whoever leaves meanwhile gets no file and no complaint. */
export const useReportFile = ({ id, name }: Report, onSaved: () => void) => {
  const file = useMutation(reportFile())
  const [stage, setStage] = useState<ReportStage>('asking')
  const leaving = useRef<AbortController>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  const generate = (parameters: Parameters): void => {
    if (file.isPending) return
    const { signal } = (leaving.current = new AbortController())
    const save = (made: Awaited<ReturnType<typeof file.mutateAsync>>): void => {
      if (made === null) return
      saveFile(made, name)
      onSaved()
    }
    file.mutate({ id, parameters, signal, onStage: setStage }, { onSuccess: save })
  }

  return { generate, isGenerating: file.isPending, error: file.error, stage }
}
