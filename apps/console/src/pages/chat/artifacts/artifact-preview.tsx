import { Suspense } from 'react';
import { Diagram } from '../markdown/diagram-figure.tsx';
import { CodeText } from '../markdown/code.tsx';
import { MarkdownText } from '../markdown/markdown-text.tsx';
import { ArtifactFrame } from './artifact-frame.tsx';
import type { Artifact } from './artifacts.ts';

interface Props {
  readonly artifact: Artifact;
  readonly name: string;
  readonly onEscape: () => void;
}

/** Only pages and pictures run in a frame. Documents and diagrams are drawn by the console, as in the chat. */
export function ArtifactPreview({ artifact: { kind, code }, name, onEscape }: Props) {
  switch (kind) {
    case 'html':
      return <ArtifactFrame content={code} name={name} onEscape={onEscape} />;
    case 'svg':
      return <ArtifactFrame content={pageWith(code)} name={name} onEscape={onEscape} />;
    case 'markdown':
      return (
        <div className="px-6 py-4 max-sm:px-4">
          <MarkdownText text={code} />
        </div>
      );
    case 'mermaid': {
      const text = <CodeText code={code} language={kind} isGrowing={false} />;
      return (
        <Suspense fallback={text}>
          <Diagram source={code} instead={text} onDrawn={nothing} />
        </Suspense>
      );
    }
  }
}

const nothing = () => undefined;

/** A picture in the middle of a page. */
const pageWith = (svg: string): string =>
  `<!doctype html><style>body{margin:0;min-height:100vh;display:grid;place-items:center}svg{max-width:100%;max-height:100vh}</style>${svg.replace(/^\s*<\?xml[^>]{0,200}>/, '')}`;
