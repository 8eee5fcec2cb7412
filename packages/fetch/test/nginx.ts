import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

/** Whether nginx is here. Where it has to be (`CI=true`) tests run without asking, and fail. */
export const hasNginx: boolean = env.CI === 'true' || spawnSync('nginx', ['-v']).error === undefined

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return address.port
}

/** A real nginx whose `limit_req` lets 30 requests a second through, 10 at once; the rest get a 429 without Retry-After. */
export async function startNginx(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-nginx-'))
  const port = await freePort()
  writeFileSync(join(folder, 'index.html'), 'ok')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1;
     events { worker_connections 1024; }
     http {
       access_log off;
       client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
       uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
       limit_req_zone $binary_remote_addr zone=one:1m rate=30r/s;
       limit_req_status 429;
       server { listen 127.0.0.1:${port}; location / { limit_req zone=one burst=10 nodelay; root ${folder}; } }
     }`,
  )
  chmodSync(folder, 0o755) // its worker is another user where this one is root
  const nginx: ChildProcess = spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => {
    nginx.once('exit', () => resolve())
    nginx.once('error', () => resolve())
  })
  const url = `http://127.0.0.1:${port}/`
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break
    if (tries === 99) throw new Error('nginx did not answer within 5 s; is it installed?')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    async stop() {
      nginx.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
