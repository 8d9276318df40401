import { Component, type ReactNode } from 'react';
import { PlainText } from '../markdown/plain-text.tsx';

interface Props {
  readonly text: string;
  readonly children: ReactNode;
}

/** Shows the text of a model as it is when it cannot be drawn, such as one that is nested thousands of times. */
export class PlainOnError extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render(): ReactNode {
    return this.state.hasFailed ? <PlainText text={this.props.text} /> : this.props.children;
  }
}
