import type { ReactNode } from 'react'
import { Component } from 'react'
import { ErrorNotice } from './error-notice.tsx'

/** Keeps a failure while something is drawn to itself. */
export class Boundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <ErrorNotice error={error} retry={() => this.setState({ error: undefined })} />
  }
}
