import { Label } from './label.tsx';
import { ARROW_LENGTH, LineEndMark } from './line-end.tsx';
import { type Frame, SELF_HEIGHT, SELF_WIDTH, type SequenceLayout, textOf } from './sequence-layout.ts';
import { heightOf, LINE_HEIGHT, type Measure, widthOf } from './text-size.ts';

export function SequencePicture({ layout, measure }: { readonly layout: SequenceLayout; readonly measure: Measure }) {
  return (
    <>
      {layout.frames.map((frame, index) => (
        <rect key={index} {...areaOf(frame)} rx={6} className="fill-surface stroke-line" fillOpacity={0.6} />
      ))}
      {layout.participants.map(({ participant, middle, y, height }) => (
        <path key={participant.id} d={`M${middle} ${y + height}V${layout.height - 4}`} className="stroke-control" strokeDasharray="4 4" />
      ))}
      {layout.frames.map((frame, index) => (
        <FrameText key={index} frame={frame} measure={measure} />
      ))}
      {layout.messages.map((placed, index) => (
        <MessageLine key={index} {...placed} measure={measure} />
      ))}
      {layout.notes.map((note, index) => (
        <g key={index}>
          <rect {...areaOf(note)} rx={4} className="fill-accent-soft stroke-line" />
          <Label lines={note.lines} at={{ x: note.x + note.width / 2, y: note.y + note.height / 2 }} />
        </g>
      ))}
      {layout.participants.map(({ participant, ...box }) => (
        <g key={participant.id}>
          <rect {...areaOf(box)} rx={participant.isActor ? box.height / 2 : 6} className="fill-raised stroke-control" strokeWidth={1.25} />
          <Label lines={participant.lines} at={{ x: box.middle, y: box.y + box.height / 2 }} />
        </g>
      ))}
    </>
  );
}

const areaOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({ x, y, width, height });

function MessageLine({ message, from, to, y, measure }: SequenceLayout['messages'][number] & { readonly measure: Measure }) {
  const lines = textOf(message);
  const width = widthOf(lines, measure);
  const isSelf = from === to;
  const way = isSelf || to < from ? -1 : 1;
  const [start, end] = [message.isTwoWay ? from + way * ARROW_LENGTH : from, message.end === 'arrow' ? to - way * ARROW_LENGTH : to];
  const above = { x: isSelf ? from + SELF_WIDTH / 2 + width / 2 + 8 : (from + to) / 2, y: y - 4 - heightOf(lines) / 2 };
  return (
    <>
      <path
        d={isSelf ? `M${from} ${y}H${from + SELF_WIDTH}V${y + SELF_HEIGHT}H${end}` : `M${start} ${y}H${end}`}
        className="fill-none stroke-muted"
        strokeWidth={1.5}
        strokeDasharray={message.isDashed ? '5 4' : undefined}
      />
      {message.isTwoWay && <LineEndMark kind="arrow" at={{ x: from, y }} towards={{ x: -way, y: 0 }} />}
      <LineEndMark kind={message.end} at={{ x: to, y: isSelf ? y + SELF_HEIGHT : y }} towards={{ x: way, y: 0 }} />
      {lines.length > 0 && <Label lines={lines} at={above} width={width} />}
    </>
  );
}

/** The kind of a frame, such as loop, and its conditions. */
function FrameText({ frame: { x, y, width, name, lines, branches }, measure }: { readonly frame: Frame; readonly measure: Measure }) {
  const nameWidth = measure(name) + 16;
  const condition = lines.length === 0 ? '' : `[${lines.join(' ')}]`;
  return (
    <>
      {name !== '' && (
        <>
          <path d={`M${x} ${y + 22}H${x + nameWidth - 6}L${x + nameWidth} ${y + 16}V${y}`} className="fill-none stroke-line" />
          <Label lines={[name]} at={{ x: x + nameWidth / 2, y: y + 11 }} className="fill-muted" />
        </>
      )}
      <Label
        lines={condition === '' ? [] : [condition]}
        at={{ x: x + nameWidth + 8 + measure(condition) / 2, y: y + 13 }}
        className="fill-muted"
      />
      {branches.map((branch, index) => (
        <g key={index}>
          <path d={`M${x} ${branch.y}H${x + width}`} className="stroke-line" strokeDasharray="4 4" />
          {branch.lines.length > 0 && (
            <Label
              lines={[`[${branch.lines.join(' ')}]`]}
              at={{ x: x + width / 2, y: branch.y + 2 + LINE_HEIGHT / 2 }}
              className="fill-muted"
            />
          )}
        </g>
      ))}
    </>
  );
}
