import type { PipeParameter } from '@sluice/client'
import type { ReactElement } from 'react'

const TYPES: Readonly<Record<string, string>> = { Date: 'date', UInt32: 'number' }

/** One parameter of a query; it begins with its default, which is taken too where it is left empty. */
export function ParameterField({ id, parameter, value, onValue }: ParameterFieldProps): ReactElement {
  const { name, type, description, accepts, required } = parameter
  return (
    <>
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        type={TYPES[type] ?? 'text'}
        value={value}
        required={required}
        aria-describedby={`${id}.hint`}
        onChange={(event) => onValue(event.target.value)}
      />
      <p className="hint" id={`${id}.hint`}>
        {description} {accepts.charAt(0).toUpperCase() + accepts.slice(1)}.
      </p>
    </>
  )
}

/** What a field is given. */
export interface ParameterFieldProps {
  readonly id: string
  readonly parameter: PipeParameter
  readonly value: string
  readonly onValue: (value: string) => void
}
