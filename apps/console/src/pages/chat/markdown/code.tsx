import type { ElementContent, Root } from 'hast';
import { type ReactNode, useEffect, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { colourInTurn } from './colour-in-turn.ts';
import { DiagramFigure } from './diagram-figure.tsx';
import { Figure } from './figure.tsx';

/** The language of diagrams. */
const DIAGRAMS = 'mermaid';

/** A block of code. It is coloured when it is complete, or drawn as a diagram. */
export function Code({ code, language, isGrowing }: { readonly code: string; readonly language: string; readonly isGrowing: boolean }) {
  const { chat } = useMessages();
  const [coloured, setColoured] = useState<{ code: string; root: Root | null } | null>(null);
  useEffect(() => {
    if (isGrowing || language === '') return;
    return colourInTurn(code, language, (root) => setColoured({ code, root }));
  }, [code, language, isGrowing]);
  const label = language === '' ? chat.code : language;
  const text = (
    <pre className="overflow-x-auto p-3 font-mono text-xs" dir="ltr" tabIndex={0} role="group" aria-label={chat.codeIn(label)}>
      <code>{coloured?.code === code && coloured.root ? highlighted(coloured.root.children as ElementContent[]) : code}</code>
    </pre>
  );
  if (language === DIAGRAMS && !isGrowing) return <DiagramFigure code={code} text={text} />;
  return (
    <Figure name={label} code={code}>
      {text}
    </Figure>
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
