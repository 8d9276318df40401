import type { ElementContent, Root } from 'hast';
import { type ReactNode, useEffect, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { ArtifactButton } from '../artifacts/artifact-button.tsx';
import { colourInTurn } from './colour-in-turn.ts';
import { DiagramFigure } from './diagram-figure.tsx';
import { Figure } from './figure.tsx';

/** The language of diagrams. */
const DIAGRAMS = 'mermaid';

interface Props {
  readonly code: string;
  readonly language: string;
  readonly isGrowing: boolean;
}

/** A block of code, or the diagram that it describes. */
export function Code({ code, language, isGrowing }: Props) {
  const { chat } = useMessages();
  const text = <CodeText code={code} language={language} isGrowing={isGrowing} />;
  const actions = <ArtifactButton code={code} language={language} />;
  if (language === DIAGRAMS && !isGrowing) return <DiagramFigure code={code} text={text} actions={actions} />;
  return (
    <Figure name={language === '' ? chat.code : language} code={code} actions={actions}>
      {text}
    </Figure>
  );
}

/** Code, which is coloured when it is complete. */
export function CodeText({ code, language, isGrowing }: Props) {
  const { chat } = useMessages();
  const [coloured, setColoured] = useState<{ code: string; root: Root | null } | null>(null);
  useEffect(() => {
    if (isGrowing || language === '') return;
    return colourInTurn(code, language, (root) => setColoured({ code, root }));
  }, [code, language, isGrowing]);
  const label = chat.codeIn(language === '' ? chat.code : language);
  return (
    <pre className="overflow-x-auto p-3 font-mono text-xs" dir="ltr" tabIndex={0} role="group" aria-label={label}>
      <code>{coloured?.code === code && coloured.root ? highlighted(coloured.root.children as ElementContent[]) : code}</code>
    </pre>
  );
}

const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/comment|quote|doctag|meta$/, 'text-muted italic'],
  [/keyword|selector-tag|literal|operator|-name|tag$/, 'text-series-4'],
  [/string|regexp|addition|char/, 'text-series-3'],
  [/number|symbol|bullet|link|deletion|variable|template/, 'text-series-2'],
  [/title|function|class|section|type|built_in|attr|property|params/, 'text-series-1'],
];

const colourOf = (names: unknown): string | undefined => {
  const [name = ''] = Array.isArray(names) ? names.map(String) : [];
  return COLOURS.find(([pattern]) => pattern.test(name))?.[1];
};

function highlighted(nodes: readonly ElementContent[]): ReactNode {
  return nodes.map((node, index) => {
    if (node.type === 'text') return node.value;
    if (node.type !== 'element') return null;
    return (
      <span key={index} className={colourOf(node.properties['className'])}>
        {highlighted(node.children)}
      </span>
    );
  });
}
