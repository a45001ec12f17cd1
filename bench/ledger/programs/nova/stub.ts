/**
 * What Nova asks of images and networks beside: one image, and no networks. That is all it needs for servers
 * without either.
 */
import { createServer } from 'node:http';

export const IMAGE = '11111111-2222-4333-8444-555555555555';
export const STUBS = { image: 9292, network: 9696 } as const;

const image = {
  ...{
    id: IMAGE,
    name: 'image',
    status: 'active',
    visibility: 'public',
    size: 1024,
    checksum: 'c',
    owner: 'o',
  },
  ...{ container_format: 'bare', disk_format: 'raw', min_ram: 0, min_disk: 0, tags: [], protected: false },
  ...{
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    file: `/v2/images/${IMAGE}/file`,
  },
};

const properties = Object.fromEntries(Object.keys(image).map((name) => [name, { is_base: true }]));
const schema = { name: 'image', properties, additionalProperties: { type: 'string' } };

/** Listens until this process ends. */
export function startStubs(): void {
  const serve = (port: number, answer: (path: string, method: string) => object): void => {
    const server = createServer((request, response) => {
      request.resume();
      const body = JSON.stringify(answer(request.url!.split('?')[0]!, request.method!));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    server.listen(port, '127.0.0.1').unref();
  };
  serve(STUBS.image, (path, method) => {
    // What is made of a server that is put aside is the same one again.
    if (method === 'POST' || path.endsWith(IMAGE)) return image;
    return path.endsWith('/schemas/image') ? schema : { images: [image] };
  });
  // `GET /v2.0/ports` asks for `ports`.
  serve(STUBS.network, (path) => ({ [path.split('/').at(-1)!.replaceAll('-', '_')]: [] }));
}
