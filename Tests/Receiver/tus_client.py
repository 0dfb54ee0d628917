"""Brings a file to an upload with tuspy: URL FILE CHUNK STOP CHECKSUM; prints the offset then.

CHUNK is the size of a request and STOP the byte before which it ends, both in bytes; CHECKSUM is
yes or no.
"""

import sys

from tusclient.uploader import Uploader

url, path, chunk, stop, checksum = sys.argv[1:]
uploader = Uploader(
    file_path=path, url=url, chunk_size=int(chunk), upload_checksum=checksum == "yes"
)
began = uploader.offset
uploader.upload(stop_at=int(stop))
print(began, uploader.offset)
