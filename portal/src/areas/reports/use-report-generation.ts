import type { Report } from '@counterfoil/contract/reports'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type SavedFile, saveFile } from '../../api/save-file.ts'
import type { ReportChoice } from './report-input.ts'
import { generateReportMutation, type ReportStage } from './reports.data.ts'

/** A function that generates a report and saves its file, and how far it is. Leaving the page aborts it without an error. */
export const useReportGeneration = ({ id, name }: Pick<Report, 'id' | 'name'>, onSaved: (file: SavedFile) => void) => {
  const mutation = useMutation(generateReportMutation())
  const [stage, setStage] = useState<ReportStage>('requesting')
  const controller = useRef<AbortController>(null)
  useEffect(() => () => controller.current?.abort(), [])

  const generate = (choice: ReportChoice): void => {
    if (mutation.isPending) return
    const { signal } = (controller.current = new AbortController())
    const save = (file: Awaited<ReturnType<typeof mutation.mutateAsync>>): void => {
      if (file === null) return
      onSaved(saveFile(file, name))
    }
    mutation.mutate({ id, ...choice, signal, onStage: setStage }, { onSuccess: save })
  }

  return { generate, isGenerating: mutation.isPending, error: mutation.error, stage }
}
