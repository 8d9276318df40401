import { type ReactNode, useEffect, useMemo } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { flowchartLayout } from './flowchart-layout.ts';
import { FlowchartPicture } from './flowchart-picture.tsx';
import { diagramOf } from './read-diagram.ts';
import { sequenceLayout } from './sequence-layout.ts';
import { SequencePicture } from './sequence-picture.tsx';
import { measureInPage } from './text-size.ts';

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly parts: ReactNode;
}

interface Props {
  readonly source: string;
  readonly instead: ReactNode;
  readonly onDrawn: (isDrawn: boolean) => void;
}

/** A diagram as a picture, or the fallback if it cannot be drawn. React creates all of it: nothing is inserted as HTML or as a style. */
export function Diagram({ source, instead, onDrawn }: Props) {
  const { chat } = useMessages();
  const picture = useMemo(() => pictureOf(source), [source]);
  const isDrawn = picture !== null;
  useEffect(() => onDrawn(isDrawn), [onDrawn, isDrawn]);
  if (picture === null) return instead;
  const [width, height] = [Math.ceil(picture.width), Math.ceil(picture.height)];
  return (
    <div className="overflow-x-auto bg-bg p-3" dir="ltr" tabIndex={0} role="group" aria-label={chat.diagram}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={chat.diagram}
        className="mx-auto block max-w-none"
      >
        {picture.parts}
      </svg>
    </div>
  );
}

function pictureOf(source: string): Picture | null {
  const diagram = diagramOf(source);
  if (diagram === null) return null;
  const measure = measureInPage();
  if (diagram.kind === 'sequence') {
    const layout = sequenceLayout(diagram, measure);
    return { ...layout, parts: <SequencePicture layout={layout} measure={measure} /> };
  }
  const layout = flowchartLayout(diagram, measure);
  return layout && { ...layout, parts: <FlowchartPicture layout={layout} measure={measure} /> };
}
