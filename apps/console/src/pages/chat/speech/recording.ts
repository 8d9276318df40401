/** Longer dictations end by themselves, and are written down. */
export const LONGEST_MILLIS = 10 * 60_000;

/** Speech needs no more. Ten minutes are 2.4 MB. */
const BITS_PER_SECOND = 32_000;

const EXTENSIONS: Readonly<Record<string, string>> = { 'audio/mp4': 'm4a', 'audio/ogg': 'ogg', 'audio/webm': 'webm' };

export interface Recording {
  /** Resolves with a file for the provider. Null without any sound. */
  stop(): Promise<File | null>;
  /** Throws the recording away. */
  discard(): void;
}

/** Whether the browser can record here. Without HTTPS, it cannot. */
export const canRecord = (): boolean => globalThis.MediaRecorder !== undefined && navigator.mediaDevices !== undefined;

/** Rejects if the user does not allow the microphone, or if there is none. */
export async function record(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const release = () => stream.getTracks().forEach((track) => track.stop());
  try {
    return recordingOf(new MediaRecorder(stream, { audioBitsPerSecond: BITS_PER_SECOND }), release);
  } catch (error) {
    release();
    throw error;
  }
}

/** `release` turns the microphone off. */
function recordingOf(recorder: MediaRecorder, release: () => void): Recording {
  const parts: Blob[] = [];
  const ended = Promise.withResolvers<void>();
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.onstop = () => ended.resolve();
  recorder.start();
  const end = async () => {
    if (recorder.state !== 'inactive') recorder.stop();
    release();
    await ended.promise;
  };
  return {
    async stop() {
      await end();
      const [type = ''] = recorder.mimeType.split(';');
      const file = new File(parts, `dictation.${EXTENSIONS[type] ?? 'webm'}`, { type });
      return file.size === 0 ? null : file;
    },
    discard: () => void end(),
  };
}
