import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Writes .gz and .br beside every text file, so the server sends them as they are. */
function precompress(): Plugin {
  const small = 1024
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      const files = await readdir(dir!, { recursive: true })
      for (const file of files.filter((name) => /\.(js|css|html|svg|json)$/.test(name) && !name.startsWith('.vite'))) {
        const path = join(dir!, file)
        if ((await stat(path)).size < small) continue
        const content = await readFile(path)
        await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
        await writeFile(
          `${path}.br`,
          await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
        )
      }
    },
  }
}

/** Answers /__gallery with the page of all UI parts while developing; a build never sees it. */
function galleryPage(): Plugin {
  return {
    name: 'gallery',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use('/__gallery', async (request, response) => {
        const page =
          '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1">' +
          '<title>UI gallery</title><div id="root"></div><script type="module" src="/src/ui/gallery/main.tsx"></script></html>'
        response.setHeader('content-type', 'text/html')
        response.end(await server.transformIndexHtml(request.originalUrl ?? '/__gallery', page))
      })
    },
  }
}

export default defineConfig({
  root: here('.'),
  plugins: [react(), tailwindcss(), galleryPage(), precompress()],
  resolve: { alias: { '@': here('./src') } },
  build: {
    outDir: here('./dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The first-load test reads which files the page needs before anything is clicked.
    manifest: true,
    // A data: address would be an exception in the content security policy for nothing.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A browser asks a server for six files at a time, so a page is few files: fifty small ones cost more than
          // the code in them.
          groups: [
            {
              // Changes with its version only, so a new console does not make everybody load React again.
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack[\\/](query-core|react-query))[\\/]/,
              priority: 3,
            },
            // What is there before any page is.
            { name: 'shell', tags: ['$initial'], priority: 2 },
            // What sign-in needs, without the rest of the kit; icons are next to nothing.
            {
              name: 'basics',
              test: /web[\\/]src[\\/]ui[\\/](checkbox|input)\.tsx$|node_modules[\\/]lucide-react[\\/]/,
              priority: 1,
            },
            // What lists, filters and menus are made of: nearly every page has some. Editors, charts and graphs load alone.
            {
              name: 'kit',
              test: /web[\\/]src[\\/](lib|ui[\\/](?!chart|code|form|graph|gallery)|entities[\\/](agent|config[\\/]|people))|node_modules[\\/](@base-ui|@floating-ui|@tanstack)[\\/]/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': { target: process.env.QUARTERDECK_DEV_API ?? 'http://127.0.0.1:3000' } },
  },
})
