import { useLayoutEffect, useRef } from 'react';

/** The edge serves this page with a policy of its own, under which inline scripts run and nothing can be loaded or sent. */
const PAGE = `${import.meta.env.BASE_URL}artifact-frame.html`;

interface Props {
  /** HTML that a model wrote. */
  readonly content: string;
  readonly name: string;
  readonly onEscape: () => void;
}

/** Runs a page that a model wrote, in an origin of its own: without `allow-same-origin`, it has no access to the console or its storage. */
export function ArtifactFrame({ content, name, onEscape }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const latest = useRef({ content, onEscape });
  latest.current = { content, onEscape };
  useLayoutEffect(() => {
    // The page can also send these messages itself: they only make the console send the content again, or close the panel.
    const onMessage = ({ source, data }: MessageEvent) => {
      const page = frame.current?.contentWindow;
      if (!page || source !== page) return;
      // The origin of the frame has no name to address it by.
      if (data === 'ready') page.postMessage(latest.current.content, '*');
      else if (data === 'escape' && document.activeElement === frame.current) latest.current.onEscape();
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, []);
  return <iframe ref={frame} src={PAGE} sandbox="allow-scripts" title={name} className="min-h-0 w-full grow" />;
}
