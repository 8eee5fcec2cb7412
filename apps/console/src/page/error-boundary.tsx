import { Component, type ReactNode } from 'react'

/** Says what happened where the page cannot be drawn, and offers to begin anew. React alone would leave nothing at all. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, Failed> {
  override readonly state: Failed = { failure: null }

  static getDerivedStateFromError(error: unknown): Failed {
    return { failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (failure === null) return this.props.children
    return (
      <main className="token">
        <div className="card">
          <h1>Sluice console</h1>
          <p>
            This page has failed, and follows the gateway no longer. That is a fault of the page, not of the gateway.
          </p>
          <p className="failure" role="alert">
            {failure}
          </p>
          <button type="button" className="primary" onClick={this.props.onReload}>
            Reload the page
          </button>
        </div>
      </main>
    )
  }
}

interface ErrorBoundaryProps {
  readonly onReload: () => void
  readonly children: ReactNode
}

interface Failed {
  /** What went wrong; null: nothing did. */
  readonly failure: string | null
}
