import { crc32 } from 'node:zlib';

const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));

/** One plain picture of 16 x 12 pixels in each format that is served, and one in a format that is not. */
export const PNG = bytes(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAMCAMAAABcOc2zAAAAA1BMVEUoWqAHpjy0AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWNgGD4AAADMAAEw6crUAAAAAElFTkSuQmCC',
);
export const JPEG = bytes(
  '/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAMABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAX/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCaAoBv/9k=',
);
export const WEBP = bytes('UklGRjIAAABXRUJQVlA4ICYAAACQAQCdASoQAAwAA4BaJaACdLoAA5gA/uuOX7UwSRkAfXlPiVoAAA==');
export const GIF = bytes('R0lGODlhEAAMAIAAAExpcShaoCH5BAUAAAAALAAAAAAQAAwAAAIMjI+py+0Po5y02msKADs=');

export const WIDTH = 16;
export const HEIGHT = 12;

export const base64 = (picture: Uint8Array): string => Buffer.from(picture).toString('base64');

/** The same picture with a header that claims 50,000 x 50,000 pixels. */
export function hugePng(): Uint8Array<ArrayBuffer> {
  const huge = new Uint8Array(PNG);
  const view = new DataView(huge.buffer);
  view.setUint32(16, 50_000);
  view.setUint32(20, 50_000);
  view.setUint32(29, crc32(huge.subarray(12, 29)));
  return huge;
}
