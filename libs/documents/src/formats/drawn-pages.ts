import { createIsomorphicCanvasFactory, type getDocumentProxy } from 'unpdf';
import { MAX_IMAGE_PIXELS, PAGE_PIXELS } from '../limits.ts';

const QUALITY = 80;

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;
type Canvas = typeof import('@napi-rs/canvas');
type CanvasFactory = Awaited<ReturnType<typeof createIsomorphicCanvasFactory>>;

/** Draws PDF pages as pictures. Loads a native library, which the process must be allowed to do. */
export class DrawnPages {
  /** For the document whose pages are drawn. */
  readonly options: { readonly CanvasFactory: CanvasFactory; readonly maxImageSize: number };
  private readonly canvas: Canvas;

  private constructor(canvas: Canvas, CanvasFactory: CanvasFactory) {
    this.canvas = canvas;
    this.options = { CanvasFactory, maxImageSize: MAX_IMAGE_PIXELS };
  }

  static async open(): Promise<DrawnPages> {
    const canvas = await import('@napi-rs/canvas');
    return new DrawnPages(canvas, await createIsomorphicCanvasFactory(async () => canvas));
  }

  /** A JPEG whose longer side has `PAGE_PIXELS` pixels. */
  async imageOf(page: Page): Promise<Uint8Array> {
    const { width, height } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: PAGE_PIXELS / Math.max(width, height, 1) });
    const canvas = this.canvas.createCanvas(Math.max(1, Math.ceil(viewport.width)), Math.max(1, Math.ceil(viewport.height)));
    // The library's types are for browsers.
    const target = { canvas, canvasContext: canvas.getContext('2d') } as unknown as Pick<
      Parameters<Page['render']>[0],
      'canvas' | 'canvasContext'
    >;
    await page.render({ ...target, viewport }).promise;
    return canvas.encode('jpeg', QUALITY);
  }
}
