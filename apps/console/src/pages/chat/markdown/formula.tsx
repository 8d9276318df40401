import { useEffect, useRef, useState } from 'react';
import { LONGEST_FORMULA } from './bounds.ts';
import { drawInTurn } from './draw-in-turn.ts';

/** Null if it could not be loaded, for example offline. */
const loadKatex = () =>
  import('katex').then(
    (its) => its.default,
    () => null,
  );

/** Macro definitions: with them, a short formula can expand to millions of characters. */
const DEFINES = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand|DeclareMathOperator)(?![a-zA-Z])/;
/** `maxSize` is in em. Anything larger would be wider than the chat. */
const OPTIONS = { output: 'mathml', throwOnError: true, maxSize: 50, strict: 'ignore' } as const;

/** Longer formulas would block the page, so their source is shown. */
const isDrawable = (source: string): boolean => source.length <= LONGEST_FORMULA && !DEFINES.test(source);

/** A formula as MathML, which browsers draw and screen readers read. Its source is shown until it can be drawn, and if it has an error. */
export function Formula({ source, isBlock }: { readonly source: string; readonly isBlock: boolean }) {
  const element = useRef<HTMLSpanElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!isDrawable(source)) return setDrawn(false);
    let isWanted = true;
    void loadKatex().then((katex) => {
      drawInTurn(() => {
        if (!isWanted || !element.current || katex === null) return;
        try {
          // KaTeX builds DOM nodes, not HTML text. By default, commands that load or link something are disabled.
          katex.render(source, element.current, { ...OPTIONS, displayMode: isBlock });
          setDrawn(true);
        } catch {
          setDrawn(false);
        }
      });
    });
    return () => {
      isWanted = false;
    };
  }, [source, isBlock]);
  return (
    <span className={isBlock ? 'my-3 block max-w-full overflow-x-auto' : undefined} dir="ltr">
      {!isDrawn && <code className="font-mono text-xs">{source}</code>}
      <span ref={element} hidden={!isDrawn} className={isBlock ? 'block py-1 text-md' : undefined} />
    </span>
  );
}
