import { type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { Figure } from './figure.tsx';

/** Loaded with the first diagram. If that fails, for example offline, the code stays. */
export const Diagram = lazyPart(
  () => import('../diagrams/diagram.tsx'),
  'Diagram',
  ({ instead }: { readonly instead: ReactNode }) => instead,
);

/** A diagram, or its code. */
export function DiagramFigure({ code, text, actions }: { readonly code: string; readonly text: ReactNode; readonly actions: ReactNode }) {
  const { chat } = useMessages();
  const figure = useRef<HTMLElement>(null);
  const isInView = useWasInView(figure);
  const [isDrawn, setDrawn] = useState(false);
  const [isCode, setCode] = useState(false);
  const all = isDrawn ? (
    <>
      <Button size="small" look="quiet" onPress={() => setCode(!isCode)}>
        {isCode ? chat.showDiagram : chat.showCode}
      </Button>
      {actions}
    </>
  ) : null;
  return (
    <Figure ref={figure} name={isDrawn ? chat.diagram : 'mermaid'} code={code} actions={all}>
      {isInView && !isCode ? (
        <Suspense fallback={text}>
          <Diagram source={code} instead={text} onDrawn={setDrawn} />
        </Suspense>
      ) : (
        text
      )}
    </Figure>
  );
}

/** Diagrams are drawn shortly before they are in view. */
const AHEAD = '400px';

function useWasInView(figure: RefObject<Element | null>): boolean {
  const [wasInView, setInView] = useState(false);
  useEffect(() => {
    if (wasInView || !figure.current) return;
    const observer = new IntersectionObserver((entries) => setInView(entries.some(({ isIntersecting }) => isIntersecting)), {
      rootMargin: AHEAD,
      // `scrollMargin` is needed because the chat scrolls in its own element.
      scrollMargin: AHEAD,
    });
    observer.observe(figure.current);
    return () => observer.disconnect();
  }, [wasInView, figure]);
  return wasInView;
}
