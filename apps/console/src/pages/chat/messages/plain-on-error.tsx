import { Component, type ReactNode } from 'react';
import { PlainText } from '../markdown/plain-text.tsx';

interface Props {
  readonly text: string;
  readonly children: ReactNode;
}

/** Shows a model's text unformatted if rendering fails, for example on thousands of nested elements. */
export class PlainOnError extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render(): ReactNode {
    return this.state.hasFailed ? <PlainText text={this.props.text} /> : this.props.children;
  }
}
