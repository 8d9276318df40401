/** The largest side of a picture in pixels, for the largest icon on sharp screens. */
const MOST_PIXELS = 128;
const QUALITY = 0.9;

/** The middle of an image as a small square. Rejects if the browser cannot read the file as an image. Browsers without WebP make a PNG. */
export async function squareOf(file: Blob): Promise<Blob> {
  const image = await createImageBitmap(file);
  const { width, height } = image;
  const side = Math.min(width, height);
  const size = Math.min(side, MOST_PIXELS);
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, (width - side) / 2, (height - side) / 2, side, side, 0, 0, size, size);
  image.close();
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no image'))), 'image/webp', QUALITY),
  );
}
